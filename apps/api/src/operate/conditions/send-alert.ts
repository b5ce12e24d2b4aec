import { type ConditionId, conditionCatalog } from '@draftshelf/domain/operate/conditions';
import { plainFetch } from '@draftshelf/runtime/plain-fetch';

export type Alert = { id: ConditionId; isInEffect: boolean; detail: string | null; at: Date };

export type SendAlert = (alert: Alert) => Promise<void>;

const answerMsMax = 5_000;

/** `text` is shown by chat rooms. Throws if the address does not take an alert within 5 s. */
export function alertSender(url: string, publicUrl: string): SendAlert {
  return async ({ id, isInEffect, detail, at }) => {
    const { sentence, todo } = conditionCatalog[id];
    const found = detail === null ? sentence : `${sentence} ${detail}`;
    const text = isInEffect ? `Draftshelf: ${found} ${todo}` : `Draftshelf: over: ${sentence}`;
    const response = await plainFetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        text,
        condition: id,
        state: isInEffect ? 'begun' : 'ended',
        at: at.toISOString(),
        url: `${publicUrl}/settings?tab=debug`,
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(answerMsMax),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The webhook answered ${response.status}`);
  };
}
