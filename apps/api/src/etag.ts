/**
 * Whether an If-None-Match header names this ETag. The comparison is the weak one that RFC 9110 asks for: a proxy
 * that compresses turns "x" into W/"x".
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag);
}
