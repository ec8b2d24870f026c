// The Responses protocol. Its input tokens include those read from the cache.
import { events, moment, textOf } from './wire.mjs';
import { toolOf } from './agents.mjs';

export const path = /^\/v1\/responses(\?|$)/;
export const hasTools = (body) => body.tools?.length > 0;

// turns tells answers apart: an answer's items stand together, and the results of its calls follow.
export function turns(body) {
  const out = [];
  for (const item of body.input) {
    const model = item.role === 'assistant' || ['reasoning', 'function_call', 'custom_tool_call'].includes(item.type);
    const role = model ? 'assistant' : (item.role ?? 'tool');
    if (role === 'assistant' && out.at(-1)?.role === 'assistant') continue;
    out.push({ role, text: textOf(item.content) });
  }
  return out;
}

export async function send(res, body, { id, text, calls, usage }) {
  const items = [];
  if (text) {
    const phase = calls.length ? 'commentary' : 'final_answer';
    items.push({ type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', phase, content: [{ type: 'output_text', text }] });
  }
  for (const [i, call] of calls.entries()) {
    const { name, args } = toolOf('codex', call);
    items.push({ type: 'function_call', id: `fc_${id}${i}`, status: 'completed', name, call_id: `call_${id}${i}`, arguments: JSON.stringify(args) });
  }
  const response = { id: `resp_${id}`, object: 'response', model: body.model };
  const write = events(res);
  const event = (type, data) => write({ type, ...data }, type);
  event('response.created', { response: { ...response, status: 'in_progress' } });
  for (const [output_index, item] of items.entries()) {
    event('response.output_item.added', { output_index, item: item.content ? { ...item, content: [] } : item });
    if (item.content) event('response.output_text.delta', { output_index, content_index: 0, item_id: item.id, delta: text });
    event('response.output_item.done', { output_index, item });
    await moment();
  }
  const used = {
    input_tokens: usage.input + usage.cacheRead,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.cacheRead + usage.output,
  };
  event('response.completed', { response: { ...response, status: 'completed', output: [], usage: used } });
  res.end();
}
