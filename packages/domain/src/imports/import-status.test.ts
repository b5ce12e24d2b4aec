import { describe, expect, it } from 'vitest';
import {
  canDo,
  finalStatuses,
  type ImportAction,
  type ImportStatus,
  importActions,
  importStatuses,
  statusLabel,
} from './import-status.ts';

/** Rows: actions; columns: statuses in the order of importStatuses. */
const table: Record<ImportAction, string> = {
  //          processing queued processed uploading completed failed paused cancelled
  pause: '      yes        no     no        yes       no        no     no     no',
  resume: '     no         no     no        no        no        no     yes    no',
  cancel: '     yes        yes    yes       yes       no        no     yes    no',
  giveUp: '     yes        no     no        yes       no        yes    yes    no',
  markReady: '  no         yes    no        no        no        no     no     no',
  push: '       no         yes    yes       no        yes       no     no     no',
  plan: '       no         yes    yes       no        yes       yes    no     no',
  undoPush: '   no         yes    yes       no        yes       yes    no     yes',
  retry: '      no         no     no        no        yes       yes    no     no',
  reread: '     no         yes    yes       no        yes       yes    no     no',
  updateImages: 'no         yes    yes       no        no        no     no     no',
  applyRules: ' no         yes    yes       no        no        no     no     no',
  review: '     no         yes    yes       no        no        no     no     no',
  addProduct: ' yes        yes    yes       no        no        no     yes    no',
  edit: '       no         yes    yes       yes       yes       yes    yes    no',
  bulkEdit: '   no         yes    yes       no        yes       yes    no     no',
  viewReport: ' no         no     no        no        yes       no     no     no',
  delete: '     no         yes    yes       no        yes       yes    no     yes',
  askAi: '      no         yes    yes       no        yes       yes    no     no',
};

const cases = (Object.keys(importActions) as ImportAction[]).flatMap((action) => {
  const answers = table[action].trim().split(/\s+/);
  return importStatuses.map((status, at): [ImportAction, ImportStatus, boolean] => [
    action,
    status,
    answers[at] === 'yes',
  ]);
});

describe('which action is allowed in which status', () => {
  it.each(cases)('%s in %s: %s', (action, status, allowed) => {
    expect(canDo(action, status)).toBe(allowed);
  });

  it('none in a status that this version does not know', () => {
    for (const action of Object.keys(importActions) as ImportAction[])
      expect(canDo(action, 'archived')).toBe(false);
  });

  it('none that stops work in a final status', () => {
    for (const status of finalStatuses) {
      expect(canDo('pause', status)).toBe(false);
      expect(canDo('cancel', status)).toBe(false);
    }
  });
});

it.each([
  ['processing', 'Processing'],
  ['queued', 'Queued'],
  ['processed', 'Ready for Shopify'],
  ['uploading', 'Uploading to Shopify'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['paused', 'Paused'],
  ['cancelled', 'Cancelled'],
  ['on hold', 'on hold'],
])('shows %s as %s', (status, label) => {
  expect(statusLabel(status)).toBe(label);
});
