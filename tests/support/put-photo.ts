import http from 'node:http';

type PutOptions = {
  headers?: Record<string, string>;
  /** The size that is declared; null: none, and the body is sent in chunks. */
  bytes?: number | null;
};

type PutReply = { status: number; headers: http.IncomingHttpHeaders; body: Record<string, unknown> };

/** PUTs a photo as any client does: without a cookie, and with only the headers of the test. */
export async function putPhoto(
  url: string,
  photo: Uint8Array,
  { headers = {}, bytes = photo.length }: PutOptions = {},
): Promise<PutReply> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const length: Record<string, string> =
    bytes === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes) };
  const request = http.request(url, { method: 'PUT', headers: { ...length, ...headers }, agent: false });
  request.on('response', resolve);
  request.on('error', reject);
  request.end(photo);
  const response = await promise;
  const text = Buffer.concat(await response.toArray()).toString();
  return { status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) };
}
