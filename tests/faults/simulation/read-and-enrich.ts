import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { markRowsAlsoInOtherImports } from '@draftshelf/core/review/row-matches';
import { checkGuards } from '@draftshelf/core/suppliers/check-guards';
import { countList } from '@draftshelf/core/suppliers/count-list';
import { keepItems } from '@draftshelf/core/suppliers/items';
import { keepEditsAndRetire } from '@draftshelf/core/suppliers/keep-values';
import { finalizeEnrich, finalizeParse } from '@draftshelf/core/work/finalize/finalize-parse';
import { recordHeartbeat } from '@draftshelf/core/work/processes';
import { createTallies } from '@draftshelf/domain/operate/tallies';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import type { ChunkQueue } from '@draftshelf/queues/connection';
import { ChunkPayload } from '@draftshelf/queues/pipeline';
import { relayOnce } from '@draftshelf/queues/relay';
import { runChunk, type StageWork } from '@draftshelf/queues/run-chunk';
import { createLogger } from '@draftshelf/runtime/logger';
import { enrichChunk } from '../../../apps/enrich-worker/src/enrich-chunk.ts';
import { createBufferPool, parseChunk } from '../../../apps/parse-worker/src/parse-chunk.ts';

/** Does what the parse and the enrich worker have to do, with no faults. */
export async function readAndEnrich(database: OpenDatabase, storage: ObjectStorage): Promise<void> {
  const limits = { csvBytesMax: 1e8, archiveBytesMax: 1e8, recordBytesMax: 1e6, cellBytesMax: 1e6 };
  const parts = {
    storage,
    limits: { ...limits, columnsMax: 1000, rowsMax: 1e6 },
    memory: createBufferPool(),
  };
  const parse: StageWork = {
    stage: 'parse',
    perform: (work) => parseChunk(work, parts),
    finalize: finalizeParse,
    tasks: orNothing({
      ...{
        'find-in-imports': markRowsAlsoInOtherImports,
        'retire-rows': keepEditsAndRetire,
        'keep-items': keepItems,
      },
      ...{ 'count-list': countList, 'check-guards': checkGuards },
    }),
  };
  const enrich: StageWork = {
    ...{ stage: 'enrich', perform: enrichChunk, finalize: finalizeEnrich, tasks: orNothing({}) },
  };
  for (let idle = 0; idle < idleMax; ) {
    await recordHeartbeat(database.db, {
      ...{ id: '00000000-0000-4000-8000-000000000000', kind: 'parse-worker', version: '0.0.0' },
      ...{ host: 'simulation', pid: 1, slots: 1 },
    });
    const done = (await doPending(database, parse)) || (await doPending(database, enrich));
    idle = done ? 0 : idle + 1;
    // What waits for others is due after some seconds.
    await database.pool.query(`select setval('sim.clock', last_value + $1) from sim.clock`, [waitMs]);
  }
}

const [idleMax, waitMs] = [4, 2_000];

/** Steps that also end tasks of other kinds, which would be published again and again. */
const orNothing = (steps: StageWork['tasks']): StageWork['tasks'] =>
  new Proxy(steps, { get: (own, kind) => own[kind as TaskKind] ?? (async () => 'done' as const) });

async function doPending(database: OpenDatabase, step: StageWork): Promise<boolean> {
  const payloads: unknown[] = [];
  const queue = {
    add: async (_: string, data: unknown) => void payloads.push(data),
  } as unknown as ChunkQueue;
  await relayOnce(database, new Map([[step.stage, queue]]), step.stage);
  const logger = createLogger({ name: 'prepare', level: 'silent', pretty: false });
  const { signal } = new AbortController();
  let done = false;
  for (const payload of payloads) {
    await runChunk(ChunkPayload.parse(payload), step, { database, logger, tallies: createTallies(), signal });
    done = true;
  }
  return done;
}
