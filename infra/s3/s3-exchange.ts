import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { S3Error } from './s3-error.ts';
import { element } from './s3-xml.ts';

/** A request whose signature is valid. */
export type S3Request = {
  method: string;
  bucket: string;
  key: string;
  query: ReadonlyMap<string, string>;
  headers: IncomingHttpHeaders;
  body: IncomingMessage;
  /** The signed checksum, or undefined for an unsigned payload. */
  bodySha256: string | undefined;
};

/** Enough for a list of 10,000 parts or 1,000 long keys. */
const documentBytesMax = 4 * 1024 * 1024;

/** Reads an XML body and checks it against the signed checksum. */
export async function readDocument(request: S3Request): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request.body.iterator({ destroyOnReturn: false })) {
    bytes += piece.length;
    if (bytes > documentBytesMax) {
      throw new S3Error(400, 'MaxMessageLengthExceeded', `A document has at most ${documentBytesMax} bytes.`);
    }
    pieces.push(piece);
  }
  const whole = Buffer.concat(pieces);
  if (request.bodySha256 && createHash('sha256').update(whole).digest('hex') !== request.bodySha256) {
    throw new S3Error(400, 'XAmzContentSHA256Mismatch', 'The content does not have the declared SHA-256.');
  }
  return whole.toString('utf8');
}

/** Answers 200 with a document. */
export function sendXml(res: ServerResponse, xml: string): void {
  const body = Buffer.from(xml);
  res.writeHead(200, { 'content-type': 'application/xml', 'content-length': body.length });
  res.end(body);
}

/** Answers without a body. */
export function sendEmpty(res: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  res.writeHead(status, status === 204 ? headers : { 'content-length': '0', ...headers });
  res.end();
}

/** Sends an S3 error; once an answer has begun, it can only close the connection. */
export function sendError(req: IncomingMessage, res: ServerResponse, error: S3Error): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  // Drain the rest of the request: the close of a connection that nobody reads is never noticed.
  req.resume();
  const content = [element('Code', error.code), element('Message', error.message)];
  const body = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${element('Error', content)}`);
  const hasBody = req.method !== 'HEAD';
  res.writeHead(error.status, {
    'content-type': 'application/xml',
    'content-length': hasBody ? body.length : 0,
  });
  res.end(hasBody ? body : undefined);
}
