package codex

import (
	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// decoder decodes one record.
type decoder struct {
	dst    []collector.Event
	stream *collector.Stream
	own    string // the stream's thread
	born   int64  // when it was made, unix ms; 0 = its id does not say
	ref    collector.Ref
	limit  int   // bytes of a text that are kept; 0 = all
	at     int64 // when the record was written, unix ms; 0 = it does not say
	items  int   // items of a first-generation document read so far
}

// Decode appends what a line says.
func (s *Source) Decode(dst []collector.Event, st collector.Stream, r collector.Record) ([]collector.Event, error) {
	if r.Data == nil {
		return append(dst, collector.Event{Kind: collector.EventMalformed, Text: jsonl.ClipString("line too long", 0)}), nil
	}
	d := decoder{dst: dst, stream: &st, own: st.Session.Own(), ref: r.Ref, limit: r.TextLimit}
	d.born = madeAt(d.own)
	read := d.record
	if st.Kind == collector.StreamFacts {
		read = d.name
	}
	for _, why := range jsonl.Each(r.Data, read) {
		d.at = 0
		d.add(collector.EventMalformed).Text = jsonl.ClipString(why, 0)
	}
	return d.dst, nil
}

// add appends an event; the pointer is good until the next one.
func (d *decoder) add(kind collector.EventKind) *collector.Event {
	d.dst = append(d.dst, collector.Event{Kind: kind, Time: d.at})
	return &d.dst[len(d.dst)-1]
}

func (d *decoder) unknown(name string) { d.add(collector.EventUnknown).Name = name }

// name reads a line of session_index.jsonl. It does not say whether the user or a model named the thread.
func (d *decoder) name(v *fastjson.Value) {
	id, title := jsonl.Str(v, "id"), jsonl.Str(v, "thread_name")
	if id == "" {
		d.unknown("session_index")
		return
	}
	d.at = 0
	e := d.add(collector.EventFacts)
	e.Session = sessionOf(id)
	e.Facts = &collector.Facts{Title: title, TitleRank: collector.TitleAuto}
}

// record reads one line of a rollout, of any generation.
func (d *decoder) record(v *fastjson.Value) {
	d.at = jsonl.Time(v, "timestamp")
	p := v.Get("payload")
	if p == nil || p.Type() != fastjson.TypeObject {
		d.bare(v)
		return
	}
	switch kind := v.GetStringBytes("type"); string(kind) {
	case "response_item":
		d.item(item{Value: p, summary: jsonl.Bool(v, "metadata", "compaction_output")})
	case "event_msg":
		d.event(p)
	case "token_usage_record":
		d.usageRecord(p)
	case "turn_context":
		d.turnContext(p)
	case "session_meta":
		d.meta(p)
	case "compacted":
		d.compacted(p)
	case "world_state", "inter_agent_communication_metadata", "inter_agent_communication", "dynamic_tools_updated",
		"security_risk_score", "realtime_item", "retained_context":
		// The model's view of the world, and what wakes an agent: nothing that happened.
	default:
		d.unknown(string(kind))
	}
}

// bare reads a line without envelope (first and second generation).
func (d *decoder) bare(v *fastjson.Value) {
	switch {
	case v.Exists("record_type"): // {"record_type":"state"}
	case v.Exists("session") && v.Exists("items"):
		d.document(v)
	case v.Exists("type"):
		d.item(item{Value: v, bare: true})
	case v.Exists("id") && v.Exists("timestamp"):
		d.meta(v)
	default:
		d.unknown("line without a type")
	}
}

// document reads a rollout of the first generation. Its items have no place of their own, so they are counted.
func (d *decoder) document(v *fastjson.Value) {
	d.at = 0
	d.meta(v.Get("session"))
	for _, it := range v.GetArray("items") {
		d.items++
		d.item(item{Value: it, bare: true})
	}
}

// turnContext reads the settings of a turn. Up to 0.104 there is one per request to the model.
func (d *decoder) turnContext(p *fastjson.Value) {
	turn := jsonl.Str(p, "turn_id")
	copied, sure := d.copied(turn, 0)
	if copied {
		return
	}
	if turn != "" && sure {
		e := d.add(collector.EventTurnStart) // known by now unless copied history lacks an end
		e.Turn = turn
	}
	model, cwd := jsonl.Str(p, "model"), jsonl.Str(p, "cwd")
	if model != "" {
		d.add(collector.EventFacts).Facts = &collector.Facts{Model: model}
	}
	if cwd != "" {
		d.add(collector.EventFacts).Facts = &collector.Facts{Cwd: cwd, Fallback: true}
	}
}

// compacted reads the record that is written whenever history was compacted, by whichever means; context_compacted and
// the ContextCompaction item only repeat it.
func (d *decoder) compacted(p *fastjson.Value) {
	e := d.add(collector.EventMarker)
	e.Marker, e.MarkerStatus, e.Name = collector.MarkerCompaction, collector.MarkerOK, "compacted"
	e.Text = jsonl.Clip(p.Get("message"), d.limit)
	if r := jsonl.Str(p, "compaction_response_id"); r != "" {
		e.Turn = jsonl.Str(p, "latest_token_usage_record", "turn_id")
		e.RoundTrip = roundTrip(e.Turn, r)
	}
}

// roundTrip names a response: its id is only sure to be unique within its turn.
func roundTrip(turn, response string) string {
	if turn == "" {
		return response
	}
	return turn + "/" + response
}
