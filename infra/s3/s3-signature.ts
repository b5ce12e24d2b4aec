import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { accessDenied, S3Error } from './s3-error.ts';

// AWS Signature Version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html

export type S3Credentials = { accessKey: string; secretKey: string; region: string };

/** A request with path and query still encoded. */
export type SignedRequest = { method: string; path: string; query: string; headers: IncomingHttpHeaders };

const algorithm = 'AWS4-HMAC-SHA256';
const clockSkewMsMax = 15 * 60 * 1000;
const presignedSecondsMax = 7 * 24 * 3600;

type Claim = {
  credential: string;
  signedHeaders: readonly string[];
  signature: string;
  date: string;
  payload: string;
  presigned: boolean;
};

/**
 * Checks the credentials and that the request was not modified.
 *
 * @returns the payload's declared sha256 in hex, or 'UNSIGNED-PAYLOAD'
 * @throws S3Error for an anonymous, tampered, expired or foreign request
 */
export function verifySignature(request: SignedRequest, credentials: S3Credentials, now: Date): string {
  const query = parseQuery(request.query);
  const claim = query.has('X-Amz-Signature') ? presignedClaim(query) : headerClaim(request.headers);
  checkTime(claim, query, now);
  checkSignedHeaders(claim, request.headers);

  const scope = `${claim.date.slice(0, 8)}/${credentials.region}/s3/aws4_request`;
  const accessKey = claim.credential.slice(0, claim.credential.indexOf('/'));
  if (!equal(accessKey, credentials.accessKey)) {
    throw new S3Error(403, 'InvalidAccessKeyId', 'The access key is unknown.');
  }
  if (claim.credential !== `${accessKey}/${scope}`) {
    throw new S3Error(
      400,
      'AuthorizationHeaderMalformed',
      'The credential is for another day, region or service.',
    );
  }
  const toSign = [algorithm, claim.date, scope, sha256(canonicalRequest(request, query, claim))].join('\n');
  const expected = createHmac('sha256', signingKey(credentials, claim.date)).update(toSign).digest('hex');
  if (!equal(claim.signature, expected)) {
    throw new S3Error(403, 'SignatureDoesNotMatch', 'The signature does not match the request.');
  }
  return claim.payload;
}

/** The decoded query. A plus stays a plus, as in the signed form. */
export function parseQuery(query: string): Map<string, string> {
  const parsed = new Map<string, string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const [name = '', ...rest] = pair.split('=');
    parsed.set(decode(name), decode(rest.join('=')));
  }
  return parsed;
}

/** Percent-decodes, or answers 400. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(400, 'InvalidURI', 'The address is not valid percent-encoding.');
  }
}

function presignedClaim(query: Map<string, string>): Claim {
  const get = (name: string) => {
    const value = query.get(name);
    if (!value) throw new S3Error(400, 'AuthorizationQueryParametersError', `The query lacks ${name}.`);
    return value;
  };
  if (get('X-Amz-Algorithm') !== algorithm) throw accessDenied('Only signature version 4 is known.');
  return {
    credential: get('X-Amz-Credential'),
    signedHeaders: get('X-Amz-SignedHeaders').split(';'),
    signature: get('X-Amz-Signature'),
    date: get('X-Amz-Date'),
    payload: 'UNSIGNED-PAYLOAD',
    presigned: true,
  };
}

function headerClaim(headers: IncomingHttpHeaders): Claim {
  const given = headers.authorization;
  if (given === undefined) throw accessDenied('Anonymous requests are refused.');
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})$/.exec(
      given,
    );
  const payload = headers['x-amz-content-sha256'];
  const date = headers['x-amz-date'];
  if (!found || typeof payload !== 'string' || typeof date !== 'string') {
    throw new S3Error(
      400,
      'AuthorizationHeaderMalformed',
      'The authorization header is not signature version 4.',
    );
  }
  const [, credential = '', signedHeaders = '', signature = ''] = found;
  return { credential, signedHeaders: signedHeaders.split(';'), signature, date, payload, presigned: false };
}

function checkTime(claim: Claim, query: Map<string, string>, now: Date): void {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(claim.date);
  if (!parts) throw accessDenied('The date is not in the form YYYYMMDDTHHMMSSZ.');
  const [, year, month, day, hour, minute, second] = parts;
  const signedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const ageMs = now.getTime() - signedAt;
  const skewed = new S3Error(
    403,
    'RequestTimeTooSkewed',
    'The clocks of client and server differ by too much.',
  );
  if (!(ageMs >= -clockSkewMsMax)) throw skewed;
  if (!claim.presigned) {
    if (ageMs > clockSkewMsMax) throw skewed;
    return;
  }
  const seconds = Number(query.get('X-Amz-Expires'));
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > presignedSecondsMax) {
    throw new S3Error(
      400,
      'AuthorizationQueryParametersError',
      'X-Amz-Expires must be from 1 second to 7 days.',
    );
  }
  if (ageMs > seconds * 1000) throw accessDenied('Request has expired');
}

/** Unsigned headers could be modified on the way, so host and every x-amz header must be signed. */
function checkSignedHeaders(claim: Claim, headers: IncomingHttpHeaders): void {
  const required = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  const unsigned = required.find((name) => !claim.signedHeaders.includes(name));
  if (unsigned !== undefined) throw accessDenied(`The header ${unsigned} is not signed.`);
}

function canonicalRequest(request: SignedRequest, query: Map<string, string>, claim: Claim): string {
  const path = request.path.split('/').map((segment) => encode(decode(segment)));
  const parameters = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const headers = claim.signedHeaders.map((name) => {
    const value = request.headers[name];
    return `${name}:${(Array.isArray(value) ? value.join(',') : (value ?? '')).trim().replace(/ +/g, ' ')}\n`;
  });
  return [
    request.method,
    path.join('/'),
    parameters.join('&'),
    headers.join(''),
    claim.signedHeaders.join(';'),
    claim.payload,
  ].join('\n');
}

function signingKey(credentials: S3Credentials, date: string): Buffer {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const day = hmac(`AWS4${credentials.secretKey}`, date.slice(0, 8));
  return hmac(hmac(hmac(day, credentials.region), 's3'), 'aws4_request');
}

/** RFC 3986: everything but letters, digits and -._~ is escaped. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compares in constant time. */
function equal(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(expected)));
}
