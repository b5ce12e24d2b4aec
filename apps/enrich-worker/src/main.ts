import { currentAi } from '@draftshelf/ai/current-service';
import { listCredentialProblems, readCredential } from '@draftshelf/core/access/credentials';
import { purposeOfWorker, workerKeysOf } from '@draftshelf/core/access/sealing';
import { savedAi } from '@draftshelf/core/enrich/ai/service';
import { learnPushedValues, lookUpProducts } from '@draftshelf/core/enrich/lookups/lookup-tasks';
import { matchPictures } from '@draftshelf/core/enrich/pictures/match-pictures';
import { applyRules } from '@draftshelf/core/enrich/rules/apply-rules';
import { hasSimulatedSources, readSourceAddress } from '@draftshelf/core/enrich/sources';
import { finalizeEnrich } from '@draftshelf/core/work/finalize/finalize-parse';
import type { TaskSteps } from '@draftshelf/queues/run-chunk';
import { runWorkerProcess } from '@draftshelf/queues/worker-process';
import { type AiEnv, findAiEnvProblem } from '@draftshelf/runtime/ai-env';
import { exitOnConfigurationError, readEnv } from '@draftshelf/runtime/env';
import { envSchema } from '@draftshelf/runtime/env-catalog';
import { imageChecker } from '@draftshelf/sources/image-checker';
import { currentSources, openSourceKeys } from '@draftshelf/sources/source-keys';
import { sourceSetsOf } from '@draftshelf/sources/sources-env';
import { askAboutProducts } from './ask-about-products.ts';
import { askAi } from './ask-ai.ts';
import { checkImages } from './check-images.ts';
import { enrichChunk } from './enrich-chunk.ts';

const schema = envSchema('enrich-worker').refine((env) => findAiEnvProblem(env) === null, {
  error: ({ input }) => findAiEnvProblem(input as AiEnv),
  when: () => true,
});
const env = exitOnConfigurationError(() => readEnv(schema, process.env));
const purpose = purposeOfWorker['enrich-worker'];
const sealingKeys = workerKeysOf(env, purpose);

await runWorkerProcess({
  stage: 'enrich',
  env,
  async makeStep({ database, logger }) {
    for (const problem of await listCredentialProblems(database.db, sealingKeys, purpose)) {
      logger.warn({ problem }, 'Saved credentials cannot be read');
    }
    const images = imageChecker(env, () => hasSimulatedSources(database.db));
    const keys = openSourceKeys((name) => readCredential(database.db, sealingKeys, name));
    const sources = currentSources(sourceSetsOf(env), keys, (name) => readSourceAddress(database.db, name));
    const deps = { contact: env.SOURCES_CONTACT, images, sources };
    return {
      step: {
        stage: 'enrich',
        perform: enrichChunk,
        finalize: finalizeEnrich,
        tasks: {
          'look-up-products': lookUpProducts({ counted: false, lost: false }),
          'look-up-again': lookUpProducts({ counted: true, lost: false }),
          'look-up-anew': lookUpProducts({ counted: false, lost: true }),
          'match-pictures': matchPictures,
          'apply-rules': applyRules,
          'learn-values': learnPushedValues,
          'ask-upcitemdb': askAboutProducts('upcitemdb', deps),
          'ask-open-products-facts': askAboutProducts('open-products-facts', deps),
          'ask-barcode-lookup': askAboutProducts('barcode-lookup', deps),
          'check-images': checkImages(images),
          'ask-ai': askAi(currentAi(env, savedAi(database.db, sealingKeys))),
        } satisfies TaskSteps<'enrich'>,
      },
    };
  },
});
