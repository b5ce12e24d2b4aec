import { setTimeout as sleep } from 'node:timers/promises';
import { admitSingleCall } from '@draftshelf/core/enrich/admit-calls';
import { storeImageChecks } from '@draftshelf/core/enrich/images';
import { recordReply } from '@draftshelf/core/enrich/lookups';
import { listActiveSources, readSourceAddress } from '@draftshelf/core/enrich/sources';
import { type SourceName, type SourceReply, sourceLabels } from '@draftshelf/domain/enrich/sources';
import { callWithTimeout } from '@draftshelf/runtime/answer-within';
import type { Logger } from '@draftshelf/runtime/logger';
import { answerMsMax, askSource } from '@draftshelf/sources/ask-source';
import { type ImageChecker, keepGoodPictures } from '@draftshelf/sources/image-checker';
import { currentSources } from '@draftshelf/sources/source-keys';
import type { SourceKeysDeps } from '../access/source-keys.ts';

/** `asking`: an import or another process is asking a source. `waiting`: a source to ask again at `until`. */
export type AskResult = {
  state: 'answered' | 'asking' | 'missing' | 'quota' | 'off' | 'failed';
  waiting: { source: string; until: Date } | null;
};

export type AskSourcesDeps = Pick<SourceKeysDeps, 'changes' | 'sources' | 'sourceKeys' | 'contact'> & {
  images: ImageChecker;
  logger: Logger;
};

/** Maximum time that a person who has scanned a code waits for the answers of all sources. */
const askMsMax = 8_000;

const picturesMsMax = 1_500;

/** From the most to the least useful state for the person who waits. */
const states = ['answered', 'asking', 'quota', 'failed', 'missing', 'off'] as const;

const only = (state: AskResult['state']): AskResult => ({ state, waiting: null });
const failed = only('failed');

/** Returns a function that asks all sources about a GTIN. Calls count against quotas. Answers after 8 s are stored. */
export function createSourceAsker(deps: AskSourcesDeps): (gtin: string) => Promise<AskResult> {
  const running = new Map<string, Promise<AskResult>>();
  const begin = (gtin: string) => {
    const asking = askAll(deps, gtin)
      .catch((err: unknown) => {
        deps.logger.warn({ err }, 'the sources could not be asked about a scanned code');
        return failed;
      })
      .finally(() => running.delete(gtin));
    running.set(gtin, asking);
    return asking;
  };
  return (gtin) =>
    callWithTimeout(askMsMax, 'The sources', () => running.get(gtin) ?? begin(gtin)).catch(() => failed);
}

async function askAll(deps: AskSourcesDeps, gtin: string): Promise<AskResult> {
  let best = only('off');
  for (const name of (await listActiveSources(deps.changes.db)) as SourceName[]) {
    const asked = await askOne(deps, name, gtin);
    if (states.indexOf(asked.state) < states.indexOf(best.state)) best = asked;
    if (best.state === 'answered') break;
  }
  return best;
}

async function askOne(deps: AskSourcesDeps, name: SourceName, gtin: string): Promise<AskResult> {
  const { sources, sourceKeys, contact } = deps;
  const { db } = deps.changes;
  const current = currentSources(sources, sourceKeys, (of) => readSourceAddress(db, of));
  const source = await current.find(name);
  if (source === null) return only('off');
  const admission = await admitSingleCall(db, { source: name, baseUrl: source.baseUrl, gtin, answerMsMax });
  if (admission.kind === 'off' || admission.kind === 'asking') return only(admission.kind);
  // Another request may have stored the answer since the code was looked up.
  if (admission.kind === 'answered') return only(admission.isKnown ? 'answered' : 'missing');
  if (admission.kind === 'wait') {
    const state = admission.because === 'quota' ? 'quota' : 'failed';
    return { state, waiting: { source: sourceLabels[name], until: admission.until } };
  }
  const { reply: whole, left } = await askSource(source, gtin, { contact });
  const reply = whole.kind === 'hit' ? await withCheckedPictures(deps, whole) : whole;
  await recordReply(db, source, admission.call, { reply, left });
  const asked = only(stateAfter[reply.kind]);
  if (reply.kind !== 'quota' || reply.until === null) return asked;
  return { ...asked, waiting: { source: sourceLabels[name], until: reply.until } };
}

const stateAfter = { hit: 'answered', miss: 'missing', quota: 'quota', failure: 'failed' } as const;

type Hit = Extract<SourceReply, { kind: 'hit' }>;

// Drops bad pictures if the check is fast enough. A slower check's results are stored for later syncs and pushes.
async function withCheckedPictures({ changes, images, logger }: AskSourcesDeps, reply: Hit): Promise<Hit> {
  const check = async (): Promise<Hit> => {
    const { answer, checked } = await keepGoodPictures(reply.answer, images);
    await storeImageChecks(changes.db, checked);
    return { ...reply, answer };
  };
  const checking = check().catch((err: unknown) => {
    logger.warn({ err }, 'the pictures of an answer could not be checked');
    return reply;
  });
  return Promise.race([checking, sleep(picturesMsMax, reply, { ref: false })]);
}
