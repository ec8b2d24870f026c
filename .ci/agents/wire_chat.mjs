// The chat completions protocol. Its prompt tokens include those read from the cache; it has no word for cache writes.
import { events, json, moment, pieces, textOf } from './wire.mjs';
import { toolOf } from './agents.mjs';

export const path = /^\/v1\/chat\/completions/;
// A title may be asked for by a tool of its own.
export const hasTools = (body) => body.tools?.length > 0 && !body.tools.some((t) => t.function.name === 'session_title');
export const turns = (body) => body.messages.map((m) => ({ role: m.role, text: textOf(m.content) }));

export async function send(res, body, { agent, id, text, calls, usage }) {
  const tool_calls = calls.map((call, index) => {
    const { name, args } = toolOf(agent, call);
    return { index, id: `call_${id}${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  });
  const used = {
    prompt_tokens: usage.input + usage.cacheRead,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.cacheRead + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
  const finish_reason = calls.length ? 'tool_calls' : 'stop';
  const base = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1000), model: body.model };
  if (!body.stream) {
    const message = { role: 'assistant', content: text ?? null, tool_calls: tool_calls.length ? tool_calls : undefined };
    return json(res, 200, { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage: used });
  }
  const write = events(res);
  const delta = (d, finish = null) => write({ ...base, choices: [{ index: 0, delta: d, finish_reason: finish }] });
  for (const content of pieces(text ?? '')) delta({ role: 'assistant', content });
  for (const call of tool_calls) delta({ role: 'assistant', tool_calls: [call] });
  await moment();
  delta({}, finish_reason);
  write({ ...base, choices: [], usage: used });
  write('[DONE]');
  res.end();
}
