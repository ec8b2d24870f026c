// The Messages protocol.
import { events, json, moment, pieces, textOf } from './wire.mjs';
import { toolOf } from './agents.mjs';

export const path = /^\/v1\/messages(\?|$)/;
export const hasTools = (body) => body.tools?.length > 0;
export const turns = (body) => body.messages.map((m) => ({ role: m.role, text: textOf(m.content) }));

export async function send(res, body, { id, text, calls, usage }) {
  const blocks = text ? [{ type: 'text', text }] : [];
  for (const [i, call] of calls.entries()) {
    const { name, args } = toolOf('claude', call);
    blocks.push({ type: 'tool_use', id: `toolu_${id}${i}`, name, input: args });
  }
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: body.model, stop_sequence: null };
  const stop_reason = calls.length ? 'tool_use' : 'end_turn';
  const used = {
    input_tokens: usage.input,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite5m, ephemeral_1h_input_tokens: usage.cacheWrite1h },
    output_tokens: usage.output,
  };
  if (!body.stream) return json(res, 200, { ...message, content: blocks, stop_reason, usage: used });
  const write = events(res);
  const event = (type, data) => write({ type, ...data }, type);
  event('message_start', { message: { ...message, content: [], stop_reason: null, usage: { ...used, output_tokens: 1 } } });
  for (const [index, block] of blocks.entries()) {
    const tool = block.type === 'tool_use';
    event('content_block_start', { index, content_block: tool ? { ...block, input: {} } : { type: 'text', text: '' } });
    for (const piece of pieces(tool ? JSON.stringify(block.input) : block.text)) {
      event('content_block_delta', { index, delta: tool ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece } });
    }
    event('content_block_stop', { index });
    await moment();
  }
  event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: used });
  event('message_stop', {});
  res.end();
}
