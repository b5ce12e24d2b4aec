import { createAiServiceFinder } from '@draftshelf/ai/current-service';
import { listCredentialProblems, readCredential } from '@draftshelf/core/access/credentials';
import { parseWorkerKeys, purposesByWorker } from '@draftshelf/core/access/sealing';
import { createSavedAiReader } from '@draftshelf/core/enrich/ai/service';
import { createLookUpTask, learnPushedValues } from '@draftshelf/core/enrich/lookups/lookup-tasks';
import { matchPictures } from '@draftshelf/core/enrich/pictures/match-pictures';
import { applyRules } from '@draftshelf/core/enrich/rules/apply-rules';
import { hasSimulatedSources, readSourceAddress } from '@draftshelf/core/enrich/sources';
import { finalizeEnrich } from '@draftshelf/core/work/finalize/finalize-parse';
import type { StageTasks } from '@draftshelf/queues/run-chunk';
import { runWorkerProcess } from '@draftshelf/queues/worker-process';
import { type AiEnv, findAiEnvProblem } from '@draftshelf/runtime/ai-env';
import { exitOnConfigurationError, readEnv } from '@draftshelf/runtime/env';
import { createEnvSchema } from '@draftshelf/runtime/env-catalog';
import { createImageChecker } from '@draftshelf/sources/image-checker';
import { createSourceKeys, currentSources } from '@draftshelf/sources/source-keys';
import { createSourceSets } from '@draftshelf/sources/sources-env';
import { createProductLookupTask } from './ask-about-products.ts';
import { createAskAiTask } from './ask-ai.ts';
import { createImageCheckTask } from './check-images.ts';
import { enrichChunk } from './enrich-chunk.ts';

const schema = createEnvSchema('enrich-worker').refine((env) => findAiEnvProblem(env) === null, {
  error: ({ input }) => findAiEnvProblem(input as AiEnv),
  when: () => true,
});
const env = exitOnConfigurationError(() => readEnv(schema, process.env));
const purpose = purposesByWorker['enrich-worker'];
const sealingKeys = parseWorkerKeys(env, purpose);

await runWorkerProcess({
  stage: 'enrich',
  env,
  async makeStep({ database, logger }) {
    for (const problem of await listCredentialProblems(database.db, sealingKeys, purpose)) {
      logger.warn({ problem }, 'Saved credentials cannot be read');
    }
    const images = createImageChecker(env, () => hasSimulatedSources(database.db));
    const keys = createSourceKeys((name) => readCredential(database.db, sealingKeys, name));
    const sources = currentSources(createSourceSets(env), keys, (name) =>
      readSourceAddress(database.db, name),
    );
    const deps = { contact: env.SOURCES_CONTACT, images, sources };
    return {
      step: {
        stage: 'enrich',
        perform: enrichChunk,
        finalize: finalizeEnrich,
        tasks: {
          'look-up-products': createLookUpTask({ counted: false, lost: false }),
          'look-up-again': createLookUpTask({ counted: true, lost: false }),
          'look-up-anew': createLookUpTask({ counted: false, lost: true }),
          'match-pictures': matchPictures,
          'apply-rules': applyRules,
          'learn-values': learnPushedValues,
          'ask-upcitemdb': createProductLookupTask('upcitemdb', deps),
          'ask-open-products-facts': createProductLookupTask('open-products-facts', deps),
          'ask-barcode-lookup': createProductLookupTask('barcode-lookup', deps),
          'check-images': createImageCheckTask(images),
          'ask-ai': createAskAiTask(
            createAiServiceFinder(env, createSavedAiReader(database.db, sealingKeys)),
          ),
        } satisfies StageTasks<'enrich'>,
      },
    };
  },
});
