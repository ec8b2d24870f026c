// A scripted model behind four wire protocols. It answers by the last prompt that names a script; the step is the number
// of answers after that prompt. What it served for a script is kept in `served`; side requests (titles, summaries) get a
// short text and are kept in `aside`.
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { gunzipSync } from 'node:zlib';
import { json } from './wire.mjs';
import * as anthropic from './wire_messages.mjs';
import * as chat from './wire_chat.mjs';
import * as gemini from './wire_gemini.mjs';
import * as responses from './wire_responses.mjs';
import { scriptOf, scripts, usageOf } from './script.mjs';

const sideText = 'A scripted session';

export class Model {
  served = [];
  aside = [];
  unexpected = [];
  #server = http.createServer((req, res) => this.#request(req, res));

  // agent is who asks: its tools have names of their own.
  constructor(agent) { this.agent = agent; }

  async listen() {
    await new Promise((done) => this.#server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
    return this;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #request(req, res) {
    const chunks = [];
    for await (const c of req) chunks.push(c);
    const wire = [anthropic, responses, chat, gemini].find((w) => req.method === 'POST' && w.path.test(req.url));
    if (!wire) {
      this.unexpected.push(`${req.method} ${req.url}`);
      const found = req.method === 'GET' || req.method === 'HEAD';
      return json(res, found ? 200 : 404, found ? { object: 'list', data: [], models: [] } : { error: { message: 'not scripted' } });
    }
    const data = Buffer.concat(chunks);
    const body = JSON.parse(req.headers['content-encoding'] === 'gzip' ? gunzipSync(data) : data);
    const answer = this.#answer(wire.turns(body), wire.hasTools(body));
    try {
      await wire.send(res, body, { ...answer, agent: this.agent }, req.url);
    } catch (err) {
      if (!res.destroyed) throw err; // a killed agent reads no more
    }
  }

  #answer(turns, hasTools) {
    const at = turns.findLastIndex((t) => t.role === 'user' && scriptOf(t.text));
    // Behind a conversation an agent may ask for a title of it, or a line that sums it up.
    const own = /^<system-reminder>(Write|Generate) /.test(turns.at(-1)?.text);
    const script = at >= 0 && hasTools && !own ? scriptOf(turns[at].text) : undefined;
    const id = randomUUID().replaceAll('-', '');
    if (!script) {
      this.aside.push(turns.at(-1)?.text.slice(0, 80));
      return { id, text: sideText, calls: [], usage: usageOf(0) };
    }
    const step = turns.slice(at + 1).filter((t) => t.role === 'assistant').length;
    const usage = usageOf(this.served.length + 1);
    this.served.push({ script, step, usage });
    return { id, calls: [], ...(scripts[script][step] ?? { text: '(the script is over)' }), usage };
  }

  // total is what the answers of some scripts consumed.
  total(names) {
    const sum = { roundTrips: 0 };
    for (const { script, usage } of this.served) {
      if (!names.includes(script)) continue;
      sum.roundTrips++;
      for (const [k, v] of Object.entries(usage)) sum[k] = (sum[k] ?? 0) + v;
    }
    return sum;
  }
}
