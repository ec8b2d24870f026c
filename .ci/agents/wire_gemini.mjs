// Gemini's protocol. Its prompt tokens include those read from the cache, what was thought stands beside the output, and
// there is no word for cache writes.
import { events, json, moment, pieces, textOf } from './wire.mjs';
import { toolOf } from './agents.mjs';

export const path = /^\/v1(beta)?\/models\/[^:]+:(streamG|g)enerateContent/;
export const hasTools = (body) => (body.tools ?? []).some((t) => t.functionDeclarations?.length > 0);
export const turns = (body) => body.contents.map((c) => ({ role: c.role === 'model' ? 'assistant' : 'user', text: textOf(c.parts) }));

export async function send(res, body, { id, text, calls, usage }, url) {
  const parts = calls.map((call) => ({ functionCall: toolOf('gemini', call) }));
  const usageMetadata = {
    promptTokenCount: usage.input + usage.cacheRead,
    cachedContentTokenCount: usage.cacheRead,
    candidatesTokenCount: usage.output - usage.reasoning,
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: usage.input + usage.cacheRead + usage.output,
  };
  const response = (content, last) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: content }, ...(last && { finishReason: 'STOP' }) }],
    modelVersion: 'scripted-model', responseId: id, ...(last && { usageMetadata }),
  });
  if (!url.includes(':stream')) return json(res, 200, response([{ text: text ?? '' }, ...parts], true));
  const write = events(res);
  for (const piece of pieces(text ?? '')) write(response([{ text: piece }], false));
  await moment();
  write(response(parts, true));
  res.end();
}
