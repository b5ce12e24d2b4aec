import type { ServerResponse } from 'node:http';
import { invalidArgument, notImplemented, S3Error } from './s3-error.ts';
import { readDocument, type S3Request, sendEmpty, sendXml } from './s3-exchange.ts';
import * as store from './s3-store.ts';
import { listUploads } from './s3-uploads.ts';
import { document, element, readElements, readText } from './s3-xml.ts';

/** Maximum entries of a listing page and keys of a bulk delete, as on S3. */
const entriesMax = 1000;

/** Requests without a bucket: the list of buckets. */
export async function answerServiceRequest(
  at: store.S3Store,
  request: S3Request,
  res: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET') throw notImplemented(`${request.method} of the service`);
  const names = await store.listBuckets(at);
  const created = element('CreationDate', new Date(0).toISOString());
  const buckets = names.map((name) => element('Bucket', [element('Name', name), created]));
  sendXml(res, document('ListAllMyBucketsResult', [element('Buckets', buckets)]));
}

/** Requests for a bucket: create, check, remove, list, bulk delete. */
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
  if (method === 'DELETE') {
    await store.removeBucket(at, bucket);
    return sendEmpty(res, 204);
  }
  if (method === 'GET' && query.has('location')) return sendXml(res, document('LocationConstraint', []));
  if (method === 'GET' && query.has('uploads')) return sendUploads(bucket, query, res);
  if (method === 'GET' && query.get('list-type') === '2') return sendListing(bucket, query, res);
  if (method === 'POST' && query.has('delete')) return sendRemoved(bucket, request, res);
  throw notImplemented(`this ${method} of a bucket`);
}

async function sendListing(
  bucket: store.Bucket,
  query: S3Request['query'],
  res: ServerResponse,
): Promise<void> {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const wanted = Number(query.get('max-keys') ?? entriesMax);
  if (!Number.isInteger(wanted) || wanted < 1)
    throw invalidArgument('max-keys is a whole number of at least 1.');
  const token = query.get('continuation-token');
  const after =
    token === undefined ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();
  const listing = await store.listObjects(bucket, {
    prefix,
    delimiter,
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
  const prefixes = listing.commonPrefixes.map((common) =>
    element('CommonPrefixes', [element('Prefix', name(common))]),
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
      element('KeyCount', contents.length + prefixes.length),
      element('IsTruncated', listing.next !== undefined),
      ...(encoded ? [element('EncodingType', 'url')] : []),
      ...next,
      ...contents,
      ...prefixes,
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

async function sendRemoved(bucket: store.Bucket, request: S3Request, res: ServerResponse): Promise<void> {
  const xml = await readDocument(request);
  const objects = readElements(xml, 'Object');
  if (objects.length > entriesMax)
    throw new S3Error(400, 'MalformedXML', `At most ${entriesMax} keys at once.`);
  const quiet = readText(xml, 'Quiet') === 'true';
  const removed: string[] = [];
  for (const object of objects) {
    const key = readText(object, 'Key');
    if (key === undefined) throw new S3Error(400, 'MalformedXML', 'An Object has no Key.');
    await store.removeRecord(bucket, key);
    if (!quiet) removed.push(element('Deleted', [element('Key', key)]));
  }
  sendXml(res, document('DeleteResult', removed));
}
