import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { request } from 'node:http';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { BenchStack } from './bench-stack.ts';

/** A multipart upload as a browser sends it, streamed from the disk, with other fields before the file. */
export async function uploadFile(
  { apiUrl, cookie }: BenchStack,
  csv: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const boundary = randomBytes(16).toString('hex');
  const call = request(`${apiUrl}/api/upload`, {
    method: 'POST',
    headers: { cookie, 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    call.on('error', reject);
    call.on('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
  });
  await pipeline(multipart(csv, boundary, fields), call);
  const { status, body } = await answered;
  if (status !== 200) throw new Error(`The upload answered ${status}: ${body}`);
  return (JSON.parse(body) as { id: string }).id;
}

async function* multipart(
  csv: string,
  boundary: string,
  fields: Record<string, string>,
): AsyncGenerator<Buffer | string> {
  for (const [name, value] of Object.entries(fields)) {
    yield `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  }
  const part = `content-disposition: form-data; name="csv"; filename="${basename(csv)}"`;
  yield `--${boundary}\r\n${part}\r\ncontent-type: text/csv\r\n\r\n`;
  yield* createReadStream(csv, { highWaterMark: 256 * 1024 });
  yield `\r\n--${boundary}--\r\n`;
}
