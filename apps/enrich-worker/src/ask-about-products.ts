import { markDone } from '@draftshelf/database/chunks/claim-chunk';
import type { TaskProgress, TaskStep } from '@draftshelf/database/chunks/tasks';
import { type AdmittedCall, admitCalls, type WaitCause } from '@draftshelf/database/enrich/admit-calls';
import { storeImages } from '@draftshelf/database/enrich/images';
import { queueFromLacks } from '@draftshelf/database/enrich/lacks';
import { listUnapplied, markApplied } from '@draftshelf/database/enrich/lookups';
import { recordReply } from '@draftshelf/database/enrich/record-reply';
import type { ChunkRecord } from '@draftshelf/database/schema';
import { type SourceName, type SourceReply, sourceLabels } from '@draftshelf/domain/sources';
import { applyAnswers } from '@draftshelf/imports/lookups/apply-answers';
import { answerMsMax, askSource, type Source } from '@draftshelf/sources/ask-source';
import type { CurrentSources } from '@draftshelf/sources/current-sources';
import { withGoodPictures } from '@draftshelf/sources/good-pictures';
import type { CheckedPicture, ImageChecker } from '@draftshelf/sources/image-checker';
import type { QuotaLeft } from '@draftshelf/sources/source';

/** Calls of a step. A switch that is turned off stops the next step, after one reply's time at most. */
const callsPerStep = 8;

type Database = Parameters<TaskStep>[0];
type Deps = { contact: string; images: ImageChecker; sources: CurrentSources };
type Asked = { call: AdmittedCall; reply: SourceReply; left: QuotaLeft | null; checked: CheckedPicture[] };

/**
 * The task of a source: asks it about the next products of an import, as its quota allows. No transaction is open
 * during a call. Address and key are read for each step. An answer is stored once for all imports and applied to every
 * product that waits for it.
 */
export function askAboutProducts(name: SourceName, deps: Deps): TaskStep {
  return async (db, chunk) => {
    const source = await deps.sources.find(name);
    if (source === null) return endTask(db, chunk);
    const ask = { source: source.name, baseUrl: source.baseUrl, importId: chunk.import_id };
    await applyNew(db, source);
    const admission = await admitCalls(db, { ...ask, max: callsPerStep, answerMsMax });
    if (admission.kind === 'wait') return waitFor(source, admission);
    if (admission.kind === 'done' && (await queueFromLacks(db, { ...ask })) > 0) return 'more';
    if (admission.kind !== 'calls') return endTask(db, chunk);
    const asked = await Promise.all(admission.calls.map((call) => askOne(source, call, deps)));
    for (const one of asked) {
      await storeImages(db, one.checked);
      await recordReply(db, source, one.call, one);
    }
    await applyNew(db, source);
    return 'more';
  };
}

/** Applies new answers to products; at the beginning of a step, the answers that a killed worker had stored. */
async function applyNew(db: Database, source: Source): Promise<void> {
  const gtins = await listUnapplied(db, source.name, callsPerStep * 4);
  if (gtins.length === 0) return;
  await applyAnswers(db, gtins);
  await markApplied(db, source.name, gtins);
}

async function endTask(db: Database, chunk: ChunkRecord): Promise<'done'> {
  await markDone(db, chunk);
  return 'done';
}

/** Asks about one code and checks the pictures of the answer. */
async function askOne(source: Source, call: AdmittedCall, { contact, images }: Deps): Promise<Asked> {
  const { reply, left } = await askSource(source, call.gtin, { contact });
  if (reply.kind !== 'hit') return { call, reply, left, checked: [] };
  const { answer, checked } = await withGoodPictures(reply.answer, images);
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
