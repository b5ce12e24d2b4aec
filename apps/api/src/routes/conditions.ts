import { listConditions } from '@draftshelf/contract/conditions';
import type { ConditionWatch } from '../conditions/watch-conditions.ts';
import { type Api, serve } from '../serve.ts';
import { sharedReply } from '../shared-reply.ts';

/** The conditions that are in effect. Every tab polls them. */
export function serveConditions(api: Api, { conditions }: { conditions: ConditionWatch }): void {
  const list = sharedReply(async () => ({ conditions: await conditions.list() }));
  serve(api, listConditions, list.body, { etag: list.version });
}
