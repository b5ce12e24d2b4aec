import { finalizeEnrich } from '@draftshelf/imports/finalize/finalize-enrich';
import type { TaskSteps } from '@draftshelf/queues/run-chunk';
import { runWorkerProcess } from '@draftshelf/queues/worker-process';
import { orExit } from '@draftshelf/runtime/env';
import { readConfig } from './config.ts';
import { enrichChunk } from './enrich-chunk.ts';

await runWorkerProcess({
  stage: 'enrich',
  env: orExit(() => readConfig(process.env)),
  concurrencyDefault: 2,
  makeStep: () => ({
    step: {
      stage: 'enrich',
      perform: enrichChunk,
      finalize: finalizeEnrich,
      tasks: {} satisfies TaskSteps<'enrich'>,
    },
  }),
});
