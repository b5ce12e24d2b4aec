import { messageOf } from '../../api/call.ts';
import type { ToastRequest } from '../../ui/feedback/toast-state.ts';

/** The notification after a batch push, with the specification's words. */
export function batchEnded(results: readonly { success: boolean }[]): ToastRequest {
  const failed = results.filter(({ success }) => !success).length;
  return {
    title: 'Batch Push Completed',
    text: `${results.length - failed} jobs pushed successfully, ${failed} failed`,
    ...(failed > 0 ? { tone: 'failure' } : {}),
  };
}

/** The notification if a batch push could not be started. */
export function batchFailed(error: Error): ToastRequest {
  return {
    title: 'Batch Push Failed',
    text: messageOf(error, 'Unknown error occurred'),
    tone: 'failure',
  };
}
