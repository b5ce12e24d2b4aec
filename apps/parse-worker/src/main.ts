import { finalizeParse } from '@draftshelf/database/parse/finalize-parse';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { storageOf } from '@draftshelf/object-storage/storage-env';
import { runWorkerProcess } from '@draftshelf/queues/worker-process';
import { orExit } from '@draftshelf/runtime/env';
import { chunkMemory } from './chunk-memory.ts';
import { readConfig } from './config.ts';
import { parseChunk } from './parse-chunk.ts';
import { startRowMaintenance } from './row-maintenance-loop.ts';
import { splitStoredFile } from './split-stored-file.ts';
import { sweepFiles } from './sweep-files.ts';

/** An upload takes less than a day, so anything older does not belong to an upload in progress. */
const leftOverMs = 24 * 60 * 60 * 1000;

const env = orExit(() => readConfig(process.env));
const storage = createObjectStorage(storageOf(env));
const { limits } = env;

await runWorkerProcess({
  stage: 'parse',
  env,
  concurrencyDefault: 2,
  makeStep({ database, logger }) {
    const olderThan = () => new Date(Date.now() - leftOverMs);
    const fileSweep = sweepFiles(database, storage, { olderThan, logger });
    const rows = startRowMaintenance(database, logger);
    const memory = chunkMemory();
    return {
      step: {
        stage: 'parse',
        perform: (work) =>
          (work.chunk.kind === 'split' ? splitStoredFile : parseChunk)(work, { storage, limits, memory }),
        finalize: finalizeParse,
      },
      ends: [
        { name: 'file sweep', run: () => fileSweep.stop() },
        { name: 'row maintenance', run: () => rows.stop() },
      ],
    };
  },
});
