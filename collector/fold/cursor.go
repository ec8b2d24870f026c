package fold

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// cursor is what fold has to remember beside the rows. It is stored with them in one transaction.
type cursor struct {
	Explicit   bool              `json:"e,omitempty"`  // the open turn was opened by a turn start
	Tentative  *tentative        `json:"tp,omitempty"` // a prompt that opens a turn if the model answers
	Inheriting bool              `json:"i,omitempty"`  // copied history goes on
	InheritAt  int64             `json:"ia,omitempty"` // when it began, ms
	Trip       int               `json:"t"`            // open unnamed round trip, -1 = none
	Fresh      bool              `json:"f,omitempty"`  // the next model item begins a new unnamed round trip
	UsageFirst bool              `json:"uf,omitempty"` // the open round trip was opened by its usage
	TurnRank   int               `json:"tr,omitempty"` // best rank of usage in the open turn
	AskedAt    int64             `json:"a,omitempty"`  // the model was asked, ms
	Trigger    int64             `json:"tg,omitempty"` // last prompt or result, ms
	Model      string            `json:"m,omitempty"`  // currently selected
	Running    *collector.Tokens `json:"r,omitempty"`  // last running total
	Texts      []uint64          `json:"x,omitempty"`  // names of the texts of the newest response that has a name
	Prompts    []uint64          `json:"ps,omitempty"` // names of the latest prompts that began no turn
	Said       []uint64          `json:"sd,omitempty"` // names of the texts since the last prompt, result or end of a response
	Fallback   uint8             `json:"fb,omitempty"` // fields that only a fallback filled
	TableSeen  int               `json:"ts,omitempty"` // rows of the side table taken in
	TableLast  string            `json:"tl,omitempty"` // key of the last of them
	TableOpen  map[int]tableRow  `json:"to,omitempty"` // rows whose round trip the log has not shown yet
	Exact      bool              `json:"ex,omitempty"` // the log itself states usage exactly
	Extra      *extra            `json:"u,omitempty"`  // usage that belongs to no round trip
	Segment    int               `json:"sg,omitempty"` // round trips before the present segment
	Books      *books            `json:"b,omitempty"`  // what the agent accounted for
	Early      []collector.Event `json:"el,omitempty"` // results that stand before their calls
	ExtraKeys  []string          `json:"uk,omitempty"` // which of them were counted
	Asides     map[string]aside  `json:"as,omitempty"` // by call: what another stream said of calls that the log has not shown yet
}

type tentative struct {
	Event collector.Event `json:"e"`
}

type tableRow struct {
	Tokens  collector.Tokens  `json:"t"`
	Model   string            `json:"m,omitempty"`
	Premium *collector.Amount `json:"p,omitempty"`
	Credits *collector.Amount `json:"c,omitempty"`
}

type extra struct {
	Tokens  collector.Tokens  `json:"t"`
	Premium *collector.Amount `json:"p,omitempty"`
	Credits *collector.Amount `json:"c,omitempty"`
}

func (c *cursor) encode() []byte {
	b, err := json.Marshal(c)
	if err != nil {
		panic(err) // plain data always encodes
	}
	return b
}

func (c *cursor) decode(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if err := json.Unmarshal(b, c); err != nil {
		return fmt.Errorf("fold cursor: %w", err)
	}
	return nil
}

// rememberedPrompts is how many prompts back one that began no turn is recognised when it comes again.
const rememberedPrompts = 256

func (c *cursor) rememberPrompt(key string) {
	if key == "" {
		return
	}
	if len(c.Prompts) >= rememberedPrompts {
		c.Prompts = append(c.Prompts[:0], c.Prompts[rememberedPrompts/2:]...)
	}
	c.Prompts = append(c.Prompts, hash("", key))
}

func sortBySeq[T any](items []T, seq func(T) int) {
	slices.SortFunc(items, func(a, b T) int { return seq(a) - seq(b) })
}
