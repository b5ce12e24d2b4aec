import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Blob, readBlobs, writeBlob } from './s3-blobs.ts';
import { invalidArgument, notImplemented, S3Error } from './s3-error.ts';
import { readDocument, type S3Request, sendEmpty, sendXml } from './s3-exchange.ts';
import * as store from './s3-store.ts';
import * as uploads from './s3-uploads.ts';
import { document, element, readElements, readText } from './s3-xml.ts';

/** Largest content of one request, as on S3. */
const contentBytesMax = 5 * 1024 ** 3;

/** Headers that are stored with an object and returned with it, in addition to x-amz-meta-*. */
const keptHeaders = [
  'content-type',
  'content-disposition',
  'content-encoding',
  'content-language',
  'cache-control',
];

/** Requests for an object or a multipart upload. */
export async function answerObjectRequest(
  at: store.S3Store,
  request: S3Request,
  res: ServerResponse,
): Promise<void> {
  const bucket = await store.openBucket(at, request.bucket);
  const { method, key, query } = request;
  if (request.headers['x-amz-copy-source']) throw notImplemented('copies of objects');
  if (query.has('uploadId') || query.has('uploads')) return answerUploadRequest(bucket, request, res);
  const unknown = ['acl', 'tagging', 'retention', 'legal-hold', 'attributes', 'versionId'].find((name) =>
    query.has(name),
  );
  if (unknown) throw notImplemented(`?${unknown}`);
  if (method === 'GET' || method === 'HEAD') return sendObject(bucket, request, res);
  if (method === 'PUT') {
    const { blob, md5 } = await receive(bucket, request);
    await store.putRecord(bucket, key, { etag: md5, headers: keptOf(request), blobs: [blob] });
    return sendEmpty(res, 200, { etag: `"${md5}"` });
  }
  if (method === 'DELETE') {
    await store.removeRecord(bucket, key);
    return sendEmpty(res, 204);
  }
  throw notImplemented(`this ${method} of an object`);
}

async function answerUploadRequest(
  bucket: store.Bucket,
  request: S3Request,
  res: ServerResponse,
): Promise<void> {
  const { method, key, query } = request;
  const uploadId = query.get('uploadId');
  const names = [element('Bucket', bucket.name), element('Key', key)];
  if (uploadId === undefined) {
    if (method !== 'POST') throw notImplemented(`this ${method} of an object`);
    const begun = await uploads.beginUpload(bucket, key, keptOf(request));
    return sendXml(res, document('InitiateMultipartUploadResult', [...names, element('UploadId', begun)]));
  }
  const upload = await uploads.readUpload(bucket, key, uploadId);
  if (method === 'PUT') {
    const part = uploads.parsePartNumber(query.get('partNumber'));
    const { blob, md5 } = await receive(bucket, request);
    await uploads.putPart(bucket, upload, { part, etag: md5, blob });
    return sendEmpty(res, 200, { etag: `"${md5}"` });
  }
  if (method === 'POST') {
    const record = await uploads.completeUpload(bucket, upload, namedParts(await readDocument(request)));
    const location = element('Location', `/${bucket.name}/${key}`);
    return sendXml(
      res,
      document('CompleteMultipartUploadResult', [location, ...names, element('ETag', `"${record.etag}"`)]),
    );
  }
  if (method === 'DELETE') {
    await uploads.abortUpload(bucket, upload);
    return sendEmpty(res, 204);
  }
  if (method === 'GET') {
    const parts = (await uploads.listParts(bucket, uploadId)).map((part) =>
      element('Part', [
        element('PartNumber', part.part),
        element('LastModified', part.writtenAt),
        element('ETag', `"${part.etag}"`),
        element('Size', part.blob.bytes),
      ]),
    );
    return sendXml(res, document('ListPartsResult', [...names, element('IsTruncated', false), ...parts]));
  }
  throw notImplemented(`this ${method} of an upload`);
}

async function sendObject(bucket: store.Bucket, request: S3Request, res: ServerResponse): Promise<void> {
  const record = await store.readRecord(bucket, request.key);
  const range = parseRange(request.headers.range, record.bytes);
  const { from, to } = range ?? { from: 0, to: record.bytes };
  const headers: Record<string, string> = {
    ...record.headers,
    etag: `"${record.etag}"`,
    'last-modified': new Date(record.modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
    'content-length': String(to - from),
    // An uploaded file must not be shown as a page of this origin.
    'x-content-type-options': 'nosniff',
  };
  if (range) headers['content-range'] = `bytes ${from}-${to - 1}/${record.bytes}`;
  res.writeHead(range ? 206 : 200, headers);
  if (request.method === 'HEAD') {
    res.end();
    return;
  }
  await pipeline(Readable.from(readBlobs(bucket.blobs, record.blobs, from, to), { objectMode: false }), res);
}

/** A single range, as on S3: any other header value means the whole object. */
function parseRange(header: string | undefined, bytes: number): { from: number; to: number } | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!found || (found[1] === '' && found[2] === '')) return undefined;
  const [first, last] = [found[1] ?? '', found[2] ?? ''];
  const from = first === '' ? Math.max(bytes - Number(last), 0) : Number(first);
  const to = first === '' || last === '' ? bytes : Math.min(Number(last) + 1, bytes);
  if (from >= bytes) throw new S3Error(416, 'InvalidRange', 'The range begins after the end of the object.');
  return from < to ? { from, to } : undefined;
}

async function receive(bucket: store.Bucket, request: S3Request): Promise<{ blob: Blob; md5: string }> {
  const length = request.headers['content-length'];
  if (length === undefined) throw new S3Error(411, 'MissingContentLength', 'The content length is missing.');
  const bytes = Number(length);
  if (bytes > contentBytesMax) {
    throw new S3Error(400, 'EntityTooLarge', `One request carries at most ${contentBytesMax} bytes.`);
  }
  const md5 = request.headers['content-md5'];
  if (Array.isArray(md5)) throw invalidArgument('Content-MD5 is given twice.');
  return writeBlob(bucket.blobs, request.body, { bytes, md5, sha256: request.bodySha256 });
}

function keptOf(request: S3Request): Record<string, string> {
  const kept = Object.entries(request.headers).filter(
    ([name, value]) =>
      typeof value === 'string' && (keptHeaders.includes(name) || name.startsWith('x-amz-meta-')),
  );
  return {
    'content-type': 'application/octet-stream',
    ...(Object.fromEntries(kept) as Record<string, string>),
  };
}

function namedParts(xml: string): { part: number; etag: string }[] {
  return readElements(xml, 'Part').map((part) => ({
    part: uploads.parsePartNumber(readText(part, 'PartNumber')),
    etag: (readText(part, 'ETag') ?? '').replaceAll('"', ''),
  }));
}
