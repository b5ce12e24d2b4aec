import { finalizeEnrich } from '@draftshelf/imports/finalize/finalize-enrich';
import { learnPushedValues, lookUpProducts } from '@draftshelf/imports/lookups/lookup-tasks';
import type { TaskSteps } from '@draftshelf/queues/run-chunk';
import { runWorkerProcess } from '@draftshelf/queues/worker-process';
import { orExit } from '@draftshelf/runtime/env';
import { createGuardedFetch } from '@draftshelf/sources/guarded-fetch';
import { sourcesByName } from '@draftshelf/sources/sources-env';
import { askAboutProducts } from './ask-about-products.ts';
import { checkImages, imageChecker } from './check-images.ts';
import { readConfig } from './config.ts';
import { enrichChunk } from './enrich-chunk.ts';

const env = orExit(() => readConfig(process.env));

await runWorkerProcess({
  stage: 'enrich',
  env,
  concurrencyDefault: 2,
  makeStep: () => {
    const sources = sourcesByName(env);
    const images = imageChecker(createGuardedFetch({ allowedOrigins: env.FETCH_ALLOW }), {
      hosts: env.IMAGE_HOSTS,
      isFetched: (url) => env.FETCH_PUBLIC || env.FETCH_ALLOW.includes(new URL(url).origin),
    });
    const deps = { contact: env.SOURCES_CONTACT, images };
    return {
      step: {
        stage: 'enrich',
        perform: enrichChunk,
        finalize: finalizeEnrich,
        tasks: {
          'look-up-products': lookUpProducts(false),
          'look-up-again': lookUpProducts(true),
          'ask-upcitemdb': askAboutProducts(sources.upcitemdb, deps),
          'ask-open-products-facts': askAboutProducts(sources['open-products-facts'], deps),
          'ask-barcode-lookup': askAboutProducts(sources['barcode-lookup'], deps),
          'check-images': checkImages(images),
          'learn-values': learnPushedValues,
        } satisfies TaskSteps<'enrich'>,
      },
    };
  },
});
