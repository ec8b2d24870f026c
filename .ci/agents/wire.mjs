// What the wire protocols have in common.

export function json(res, status, value) {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

// events opens a stream of server-sent events.
export function events(res) {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  return (data, name) => res.write(`${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
}

// textOf joins the texts of a message's content, however the protocol writes it.
export function textOf(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('\n');
}

// pieces cuts a text as a model streams it.
export const pieces = (text) => text.match(/.{1,24}/gs) ?? [];
export const moment = () => new Promise((done) => setTimeout(done, 20));
