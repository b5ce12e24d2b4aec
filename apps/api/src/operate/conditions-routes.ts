import { listConditions } from '@draftshelf/contract/operate/conditions';
import { type Api, serve } from '../http/serve.ts';
import { sharedReply } from '../http/shared-reply.ts';
import type { ConditionWatch } from './conditions/watch-conditions.ts';

/** The conditions that are in effect or have ended lately. Every tab polls them. */
export function serveConditions(api: Api, { conditions }: { conditions: ConditionWatch }): void {
  const list = sharedReply(async () => ({
    conditions: await conditions.list(),
    ended: await conditions.listEnded(),
  }));
  serve(api, listConditions, list.body, { etag: list.version });
}
