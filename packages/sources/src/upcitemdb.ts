import type { SourceReply } from '@draftshelf/domain/enrich/sources';
import { z } from 'zod';
import {
  answerOfItem,
  Item,
  keyRefused,
  type QuotaLeft,
  type RawReply,
  readReply,
  refusesKey,
  retryAfter,
  type SourceAdapter,
} from './source.ts';

/** https://www.upcitemdb.com/wp/docs/main/development/responses/ */
const Body = z.object({ code: z.string(), items: z.array(Item).default([]) });

/** Without a key the free plan, else the paid one. */
export const upcitemdb: SourceAdapter = {
  request: (code, key) => ({
    path: `/prod/${key === null ? 'trial' : 'v1'}/lookup?upc=${code}`,
    headers: paidHeaders(key),
  }),
  read,
  left,
  // No other call takes a key. The code is the one of its documentation.
  keyTest: {
    request: (key) => ({ path: '/prod/v1/lookup?upc=4002293401102', headers: paidHeaders(key) }),
    takesCall: true,
  },
};

const paidHeaders = (key: string | null): Record<string, string> =>
  key === null ? {} : { user_key: key, key_type: '3scale' };

function read(raw: RawReply): SourceReply {
  const code = Body.safeParse(raw.body).data?.code;
  if (raw.status === 429 || code === 'EXCEED_LIMIT' || code === 'TOO_FAST') {
    return { kind: 'quota', until: retryAfter(raw) ?? left(raw)?.until ?? null };
  }
  // Impossible codes are called invalid; no import should ask about them again.
  if (code === 'NOT_FOUND' || code === 'INVALID_QUERY') return { kind: 'miss' };
  if (refusesKey(raw.status)) return keyRefused;
  const Found = Body.extend({ code: z.literal('OK') });
  return readReply(raw, Found, ({ items: [item] }) => item && answerOfItem(item));
}

function left({ header }: RawReply): QuotaLeft | null {
  const [remaining, reset] = [header('x-ratelimit-remaining'), header('x-ratelimit-reset')];
  if (remaining === null || reset === null || !/^\d{1,9}$/.test(remaining) || !/^\d{9,11}$/.test(reset))
    return null;
  return { calls: Number(remaining), until: new Date(Number(reset) * 1000) };
}
