import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody as readWholeBody } from '@draftshelf/runtime/read-body';

/** Larger than any request of ours: 2,048 variants with all their fields are about 1 MB. */
const bodyBytesMax = 16 * 1024 * 1024;

/** The whole body as text. Throws BodyTooLarge over 16 MiB. */
export const readBody = (request: IncomingMessage): Promise<string> => readWholeBody(request, bodyBytesMax);

/** The body as an object, from JSON or an urlencoded form; null if it is neither. */
export function parseBody(text: string, contentType: string): Record<string, unknown> | null {
  if (contentType.includes('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  sendText(response, status, 'application/json; charset=utf-8', JSON.stringify(body), headers);
}

export function sendText(
  response: ServerResponse,
  status: number,
  contentType: string,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store', ...headers });
  response.end(text);
}
