import type { ChunkRecord } from '@draftshelf/core/connection/schema';
import { countAsks } from '@draftshelf/core/enrich/ai/ai-asks';
import { readAiImport } from '@draftshelf/core/enrich/ai/ai-imports';
import { beginAsking } from '@draftshelf/core/enrich/ai/begin-asking';
import { type AiCall, admitNextAiCall } from '@draftshelf/core/enrich/ai/next-ai-call';
import { readAiService } from '@draftshelf/core/enrich/ai/service';
import { storeAiReply } from '@draftshelf/core/enrich/ai/store-ai-reply';
import type { AiReply } from '@draftshelf/domain/enrich/ai/reply';
import { bareProducts } from './ai.ts';
import { claimOpenTask } from './claim-task.ts';
import { type Fixture, storedImport } from './fixture.ts';

/** The service that these steps ask; nothing is sent to it. */
export const target = { baseUrl: 'https://ai.example/v1', model: 'strict' };

type Begin = Parameters<typeof beginAsking>[2];

/** Stores a row for each title, of a run. */
export const storeTitles = (fixture: Fixture, id: string, run: number, titles: readonly string[]) =>
  fixture.database.pool.query(
    `insert into rows (import_id, run, row, line, byte_from, product, class, enrichable, title, cells)
     select $1, $2, i, i, i * 10, i, 'valid', false, title, json_build_array(title, '9.90', 'A') from unnest($3::text[]) with ordinality t(title, i)`,
    [id, run, titles],
  );

/** The answer that all products of a call have the type Mug. */
export function mugs(call: AiCall, usage = { in: 10, out: 10 }): AiReply {
  const none = { description: [], brand: [], tags: [] };
  const products = [...call.ids.keys()].map((id) => ({
    ...{ id, description: null, type: 'Mug', brand: null, tags: [], flags: [] },
    evidence: { ...none, type: ['Mug'] },
  }));
  return { kind: 'answer', text: JSON.stringify({ products }), usage, pauseMs: null };
}

export const failure: AiReply = {
  kind: 'failure',
  sentence: 'The AI service didn’t answer within 60 seconds.',
};

/** The steps of a worker that asks the AI service, one by one and without calls. */
export function askingSteps(fixture: () => Fixture) {
  const db = () => fixture().database.db;
  const begin = (id: string, options: Partial<Begin> = {}) =>
    db()
      .transaction()
      .execute((trx) =>
        beginAsking(trx, id, { scope: { kind: 'all' }, fields: ['type'], target, ...options }),
      );
  /** Takes until a call is admitted, or the task ends or waits. */
  const next = async (chunk: ChunkRecord, asked = target) => {
    for (;;) {
      const { version } = await readAiService(db());
      const taken = await admitNextAiCall(db(), chunk, { ...asked, version, isSimulated: false });
      if (taken !== 'more') return taken;
    }
  };
  return {
    begin,
    next,
    /** Removes all imports, calls and answers, and sets the service back. */
    async reset() {
      const { pool } = fixture().database;
      await pool.query('truncate imports, ai_calls, ai_answers cascade');
      await pool.query('delete from ai_service');
      await pool.query('insert into ai_service default values');
    },
    /** An import in review with a row for each title, of run 1. */
    async importOf(titles: readonly string[]): Promise<string> {
      const { id } = await storedImport(fixture(), {
        csv: bareProducts(titles),
        set: { status: 'processed', rows_run: 1, open_chunks: 0 },
      });
      await storeTitles(fixture(), id, 1, titles);
      await fixture().database.pool.query('update runs set ended_at = now() where import_id = $1', [id]);
      return id;
    },
    /** Begins to ask, and claims the task like a worker. */
    async begun(id: string, options: Partial<Begin> = {}): Promise<ChunkRecord> {
      const result = await begin(id, options);
      if (!result.ok) throw new Error(result.reason);
      return claimOpenTask(db(), id, 'ask-ai');
    },
    async callOf(chunk: ChunkRecord): Promise<AiCall> {
      const taken = await next(chunk);
      if (typeof taken !== 'object' || !('call' in taken))
        throw new Error(`No call: ${JSON.stringify(taken)}`);
      return taken.call;
    },
    store: (call: AiCall, reply: AiReply) => storeAiReply(db(), call, reply),
    asking: (id: string) => readAiImport(db(), id),
    asks: (id: string) => countAsks(db(), id),
  };
}
