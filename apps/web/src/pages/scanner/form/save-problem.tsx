import { Group } from '@mantine/core';
import { CallError } from '../../../api/call.ts';
import { isWithoutAnswer } from '../../../api/scanner.ts';
import { Button } from '../../../components/button.tsx';
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx';
import { PlainTable } from '../../../components/table/record-table.tsx';
import classes from '../scanner.module.css';
import { differencesOf } from './scanned-draft.ts';
import type { ScannedForm } from './use-scanned-form.ts';

/** Why the last save failed, and what to do. Nothing that was entered is lost. */
export function SaveProblem({ form }: { form: ScannedForm }) {
  const { failure, conflict } = form;
  if (conflict !== null) {
    return (
      <ErrorPanel tone="warning" title="This product was changed after you opened it. Nothing was saved.">
        <PlainTable
          label="Both values"
          records={differencesOf(form.draft, form.photos, conflict)}
          keyOf={({ label }) => label}
          columns={[
            { head: 'Field', cell: ({ label }) => label },
            { head: 'Yours', className: classes.words, cell: ({ mine }) => mine },
            { head: 'Saved meanwhile', className: classes.words, cell: ({ theirs }) => theirs },
          ]}
        />
        <Group gap="sm">
          <Button busy={form.isSaving} onClick={form.saveOver}>
            Save Yours
          </Button>
          <Button variant="default" busy={form.isSaving} onClick={form.takeTheirs}>
            Use Theirs
          </Button>
        </Group>
      </ErrorPanel>
    );
  }
  if (failure === null) return null;
  if (failure.isGone) {
    return (
      <ErrorPanel title="This product was deleted after you opened it." cause={failure.error.message}>
        Save it again to keep it as a new product.
      </ErrorPanel>
    );
  }
  if (isWithoutAnswer(failure.error)) {
    return (
      <ErrorPanel title="No answer." cause={failure.error.message}>
        It may have been saved; saving again makes no second product.
      </ErrorPanel>
    );
  }
  const server = failure.error instanceof CallError ? failure.error.serverMessage : null;
  return (
    <ErrorPanel title={server ?? 'The product couldn’t be saved.'} cause={failure.error.message}>
      Nothing was saved. Your entries and photos are still here; try again.
    </ErrorPanel>
  );
}
