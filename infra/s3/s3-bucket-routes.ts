import type { ServerResponse } from 'node:http';
import { invalidArgument, notImplemented } from './s3-error.ts';
import { readDocument, type S3Request, sendEmpty, sendXml } from './s3-exchange.ts';
import * as store from './s3-store.ts';
import { listUploads } from './s3-uploads.ts';
import { document, element } from './s3-xml.ts';

/** Maximum entries of a listing page, as on S3. */
const entriesMax = 1000;

/** Requests for a bucket: create, check, list. */
export async function answerBucketRequest(
  at: store.S3Store,
  request: S3Request,
  res: ServerResponse,
): Promise<void> {
  const { method, query } = request;
  if (method === 'PUT') {
    await readDocument(request);
    await store.makeBucket(at, request.bucket);
    return sendEmpty(res, 200, { location: `/${request.bucket}` });
  }
  const bucket = await store.openBucket(at, request.bucket);
  if (method === 'HEAD') return sendEmpty(res, 200);
  if (method === 'GET' && query.has('location')) return sendXml(res, document('LocationConstraint', []));
  if (method === 'GET' && query.has('uploads')) return sendUploads(bucket, query, res);
  if (method === 'GET' && query.get('list-type') === '2') return sendListing(bucket, query, res);
  throw notImplemented(`this ${method} of a bucket`);
}

async function sendListing(
  bucket: store.Bucket,
  query: S3Request['query'],
  res: ServerResponse,
): Promise<void> {
  const prefix = query.get('prefix') ?? '';
  if (query.get('delimiter')) throw notImplemented('listings by directory');
  const wanted = Number(query.get('max-keys') ?? entriesMax);
  if (!Number.isInteger(wanted) || wanted < 1)
    throw invalidArgument('max-keys is a whole number of at least 1.');
  const token = query.get('continuation-token');
  const after =
    token === undefined ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();
  const listing = await store.listObjects(bucket, {
    prefix,
    after,
    entriesMax: Math.min(wanted, entriesMax),
  });

  const encoded = query.get('encoding-type') === 'url';
  const name = (key: string) => (encoded ? encodeURIComponent(key) : key);
  const contents = listing.objects.map((object) =>
    element('Contents', [
      element('Key', name(object.key)),
      element('LastModified', object.modifiedAt),
      element('ETag', `"${object.etag}"`),
      element('Size', object.bytes),
      element('StorageClass', 'STANDARD'),
    ]),
  );
  const next =
    listing.next === undefined
      ? []
      : [element('NextContinuationToken', Buffer.from(listing.next).toString('base64url'))];
  sendXml(
    res,
    document('ListBucketResult', [
      element('Name', bucket.name),
      element('Prefix', name(prefix)),
      element('KeyCount', contents.length),
      element('IsTruncated', listing.next !== undefined),
      ...(encoded ? [element('EncodingType', 'url')] : []),
      ...next,
      ...contents,
    ]),
  );
}

/** All unfinished uploads in one page: there are only those of active senders and of killed processes. */
async function sendUploads(
  bucket: store.Bucket,
  query: S3Request['query'],
  res: ServerResponse,
): Promise<void> {
  const uploads = await listUploads(bucket, query.get('prefix') ?? '');
  const elements = uploads.map((upload) =>
    element('Upload', [
      element('Key', upload.key),
      element('UploadId', upload.uploadId),
      element('StorageClass', 'STANDARD'),
      element('Initiated', upload.initiatedAt),
    ]),
  );
  const head = [element('Bucket', bucket.name), element('IsTruncated', false)];
  sendXml(res, document('ListMultipartUploadsResult', [...head, ...elements]));
}
