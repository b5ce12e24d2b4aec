import {
  type AdmittedCall,
  admitCalls,
  isSourceOn,
  type WaitCause,
} from '@draftshelf/core/enrich/admit-calls';
import { storeImageChecks } from '@draftshelf/core/enrich/images';
import { queueMissingLookups } from '@draftshelf/core/enrich/lacks';
import {
  listUnappliedAnswers,
  markAnswersApplied,
  recordReply,
  requeueLookup,
} from '@draftshelf/core/enrich/lookups';
import { applyAnswers } from '@draftshelf/core/enrich/lookups/apply-answers';
import { markDone } from '@draftshelf/core/work/claim-chunk';
import type { CallingTask, TaskProgress } from '@draftshelf/core/work/tasks';
import { type SourceName, type SourceReply, sourceLabels } from '@draftshelf/domain/enrich/sources';
import type { RemainingQuota } from '@draftshelf/sources/adapters';
import { answerMsMax, askSource, type Source } from '@draftshelf/sources/ask-source';
import { type CheckedPicture, type ImageChecker, keepGoodPictures } from '@draftshelf/sources/image-checker';
import type { SourceFinder } from '@draftshelf/sources/source-keys';

const callsPerPart = 8;

type Database = Parameters<CallingTask['take']>[0];
type Deps = { contact: string; images: ImageChecker; sources: SourceFinder };
type Calls = { source: Source; calls: AdmittedCall[] };
/** `reply` is null if the call was stopped before a reply came. */
type Asked = {
  call: AdmittedCall;
  reply: SourceReply | null;
  left: RemainingQuota | null;
  checked: CheckedPicture[];
};

type Answers = { source: Source; asked: Asked[] };

/** Returns a task that asks a source within its quota. Each answer is applied to all products that wait for it. */
export function createProductLookupTask(name: SourceName, deps: Deps): CallingTask<Calls, Answers> {
  return {
    async take(db, chunk) {
      const source = await deps.sources.find(name);
      if (source === null) return markDone(db, chunk);
      const ask = { source: source.name, baseUrl: source.baseUrl, importId: chunk.import_id };
      await applyNew(db, source);
      const admission = await admitCalls(db, { ...ask, max: callsPerPart, answerMsMax });
      if (admission.kind === 'wait') return waitFor(source, admission);
      if (admission.kind === 'done' && (await queueMissingLookups(db, { ...ask })) > 0) return 'more';
      if (admission.kind !== 'calls') return markDone(db, chunk);
      return { call: { source, calls: admission.calls } };
    },
    async call({ source, calls }, signal) {
      const asked = await Promise.all(calls.map((call) => askOne(source, call, deps, signal)));
      return { source, asked };
    },
    async store(db, _chunk, { source, asked }) {
      for (let next = asked[0]; next; next = asked[0]) {
        await storeAsked(db, source, next);
        // Removes the stored call, so that a repeated `store` continues with the next call.
        asked.shift();
      }
      await applyNew(db, source);
      return 'more';
    },
    isOn: (db, chunk, { source: { name, baseUrl } }) =>
      isSourceOn(db, { source: name, baseUrl, importId: chunk.import_id }),
  };
}

async function storeAsked(db: Database, source: Source, asked: Asked): Promise<void> {
  const { call, reply, left, checked } = asked;
  await storeImageChecks(db, checked);
  if (reply) await recordReply(db, source, call, { reply, left });
  else await requeueLookup(db, { gtin: call.gtin, source: source.name }, stopped);
}

/** A stopped call counts against the quota but not as an attempt. The next part repeats its look-up. */
const stopped = { cause: 'The call was stopped before the answer came.', counted: false };

/** Applies new answers, including those stored by a killed worker. */
async function applyNew(db: Database, source: Source): Promise<void> {
  const gtins = await listUnappliedAnswers(db, source.name, callsPerPart * 4);
  if (gtins.length === 0) return;
  await applyAnswers(db, gtins);
  await markAnswersApplied(db, source.name, gtins);
}

async function askOne(
  source: Source,
  call: AdmittedCall,
  { contact, images }: Deps,
  signal: AbortSignal,
): Promise<Asked> {
  const { reply, left } = await askSource(source, call.gtin, { contact, signal });
  if (reply.kind === 'failure' && signal.aborted) return { call, reply: null, left, checked: [] };
  if (reply.kind !== 'hit') return { call, reply, left, checked: [] };
  const { answer, checked } = await keepGoodPictures(reply.answer, images, signal);
  return { call, reply: { kind: 'hit', answer }, left, checked };
}

function waitFor(source: Source, { because, waitMs }: { because: WaitCause; waitMs: number }): TaskProgress {
  const label = sourceLabels[source.name];
  const sentences: Record<WaitCause, string> = {
    quota: `Image lookup waits for the quota of ${label}.`,
    failure: `${label} doesn’t answer. It’s asked again later.`,
    retry: `${label} didn’t answer for some products. They’re asked again later.`,
    turn: `Other look-ups of ${label} come first.`,
  };
  return { waitFor: sentences[because], waitMs };
}
