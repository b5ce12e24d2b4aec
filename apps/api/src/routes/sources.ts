import { changeSources, forgetAnswers, listSources, type SourceState } from '@draftshelf/contract/sources';
import type { Db } from '@draftshelf/database/connection/database';
import { purgeAnswers } from '@draftshelf/database/enrich/lookups';
import * as stored from '@draftshelf/database/enrich/sources';
import type { SourceRecord } from '@draftshelf/database/schema';
import { sourceLabel } from '@draftshelf/domain/sources';
import { resumeLookups } from '@draftshelf/imports/lookups/enqueue-lookups';
import type { Source } from '@draftshelf/sources/ask-source';
import type { ApiDatabases } from '../databases.ts';
import { conflict } from '../refusal.ts';
import { type Api, serve } from '../serve.ts';

type Deps = ApiDatabases & { sources: readonly Source[] };

/** The sources of product data by UPC: switches, order, quotas, and what they have said. */
export function serveSources(api: Api, { database: { db }, changes, sources }: Deps): void {
  const keyMissing = (name: string) =>
    sources.some((source) => source.name === name && source.needsKey && source.key === null);
  const list = async (from: Db): Promise<SourceState[]> => {
    const calls = await stored.countCalls(from);
    return (await stored.listSources(from)).map((source) =>
      toState(source, calls.get(source.name), keyMissing(source.name)),
    );
  };
  serve(api, listSources, () => list(db));
  serve(api, changeSources, async ({ body }) => {
    const refused = body.sources.find(({ name, enabled }) => enabled === true && keyMissing(name));
    if (refused)
      throw conflict(`${sourceLabel(refused.name)} needs a key. Set it on the server, then turn it on.`);
    return changes.db.transaction().execute(async (trx) => {
      await stored.changeSources(
        trx,
        body.sources.map(({ perWindow, perDay, ...change }) => ({
          ...change,
          ...(perWindow === undefined ? {} : { per_window: perWindow }),
          ...(perDay === undefined ? {} : { per_day: perDay }),
        })),
      );
      await resumeLookups(trx);
      return list(trx);
    });
  });
  serve(api, forgetAnswers, async ({ body }) => {
    const forgotten = await purgeAnswers(changes.db, body?.source ?? null);
    return { success: true as const, message: 'Answers forgotten.', forgotten };
  });
}

function toState(
  source: SourceRecord,
  calls: { window: number; day: number; freeAt: Date | null } | undefined,
  keyMissing: boolean,
): SourceState {
  const { name, enabled, per_window, window_ms, per_day, day_ms, blocked_until, blocked_because } = source;
  const isBlocked = blocked_until !== null && blocked_until.getTime() > Date.now();
  return {
    ...{ name, label: sourceLabel(name), enabled, keyMissing },
    quota: {
      ...{ perWindow: per_window, windowMs: window_ms, perDay: per_day, dayMs: day_ms },
      ...{ window: calls?.window ?? 0, day: calls?.day ?? 0, freeAt: calls?.freeAt?.toISOString() ?? null },
    },
    blockedUntil: isBlocked ? blocked_until.toISOString() : null,
    blockedBecause: isBlocked ? (blocked_because === 'failure' ? 'failure' : 'quota') : null,
  };
}
