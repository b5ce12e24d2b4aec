import { extractPictures } from '@draftshelf/core/enrich/pictures/take-pictures';
import { runCommandPart } from '@draftshelf/core/review/commands/command-task';
import { markRowsAlsoInOtherImports } from '@draftshelf/core/review/row-matches';
import { runUpdateAddedTask } from '@draftshelf/core/scanner/update-added-rows';
import { checkGuards } from '@draftshelf/core/suppliers/check-guards';
import { countList } from '@draftshelf/core/suppliers/count-list';
import { keepItems } from '@draftshelf/core/suppliers/items';
import { keepEditsAndRetire } from '@draftshelf/core/suppliers/keep-values';
import { applyRecipes } from '@draftshelf/core/suppliers/recipes/apply-recipes';
import { continueDeletion } from '@draftshelf/core/work/delete-import';
import { finalizeParse } from '@draftshelf/core/work/finalize/finalize-parse';
import { removeUnshownRows } from '@draftshelf/core/work/reread-rollback';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import type { StageTasks } from '@draftshelf/queues/run-chunk';
import { runWorkerProcess } from '@draftshelf/queues/worker-process';
import { exitOnConfigurationError, readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import { readRetention, toFileLimits } from '@draftshelf/runtime/limits-env';
import { compareCorrections } from './compare-corrections.ts';
import { createBufferPool, parseChunk } from './parse-chunk.ts';
import { splitStoredFile } from './split-stored-file.ts';
import { throwChunkError } from './storage-errors.ts';
import { createInstallationTasks } from './tasks.ts';

const env = exitOnConfigurationError(() => readEnv(createEnvSchema('parse-worker'), process.env));
const limits = toFileLimits(env);

await runWorkerProcess({
  stage: 'parse',
  env,
  makeStep({ database, logger, metrics }) {
    const storage = createObjectStorage(env, metrics.observeStorage);
    const memory = createBufferPool();
    return {
      step: {
        stage: 'parse',
        perform: (work) =>
          (work.chunk.kind === 'split' ? splitStoredFile : parseChunk)(work, { storage, limits, memory }),
        finalize: finalizeParse,
        tasks: {
          'find-in-imports': markRowsAlsoInOtherImports,
          'remove-rows': removeUnshownRows,
          'retire-rows': keepEditsAndRetire,
          'delete-import': continueDeletion,
          'keep-items': keepItems,
          'count-list': countList,
          'update-added': runUpdateAddedTask,
          'take-pictures': (db, chunk, signal) =>
            extractPictures(storage, db, chunk, signal).catch(throwChunkError),
          'check-guards': checkGuards,
          'compare-corrections': (db, chunk) => compareCorrections({ storage, limits }, db, chunk),
          'apply-command': runCommandPart,
          'apply-recipes': applyRecipes,
          'undo-command': runCommandPart,
        } satisfies StageTasks<'parse'>,
        background: createInstallationTasks({ database, storage, retention: readRetention(env), logger }),
      },
    };
  },
});
