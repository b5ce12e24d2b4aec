import { Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CallError } from '../../../api/call.ts';
import { isWithoutAnswer, type ShownScanned } from '../../../api/scanner.ts';
import { Button } from '../../../components/button.tsx';
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx';
import { PlainTable } from '../../../components/table/record-table.tsx';
import classes from '../scanner.module.css';
import { differencesOf } from './scanned-draft.ts';
import type { SaveFailure, ScannedForm } from './use-scanned-form.ts';

/** Why the last save failed, and what to do. Nothing that was entered is lost. */
export function SaveProblem({ form }: { form: ScannedForm }) {
  const { failure, conflict } = form;
  const panels = useRef<HTMLDivElement>(null);
  // The buttons that save are at the other end of a phone's screen.
  useEffect(() => {
    if (failure !== null || conflict !== null) panels.current?.scrollIntoView({ block: 'nearest' });
  }, [failure, conflict]);
  if (failure === null && conflict === null) return null;
  return (
    <div ref={panels} className={classes.saveProblem}>
      {failure !== null && <FailurePanel failure={failure} />}
      {conflict !== null && <ConflictPanel form={form} stored={conflict} />}
    </div>
  );
}

function FailurePanel({ failure: { error, isGone } }: { failure: SaveFailure }) {
  if (isGone) {
    return (
      <ErrorPanel title="This product was deleted after you opened it." cause={error.message}>
        Save it again to keep it as a new product.
      </ErrorPanel>
    );
  }
  if (isWithoutAnswer(error)) {
    return (
      <ErrorPanel title="No answer." cause={error.message}>
        It may have been saved; saving again makes no second product.
      </ErrorPanel>
    );
  }
  const server = error instanceof CallError ? error.serverMessage : null;
  return (
    <ErrorPanel title={server ?? 'The product couldn’t be saved.'} cause={error.message}>
      Nothing was saved. Your entries and photos are still here; try again.
    </ErrorPanel>
  );
}

/** Stays until the choice is saved, so that its buttons keep the focus. */
function ConflictPanel({ form, stored }: { form: ScannedForm; stored: ShownScanned }) {
  return (
    <ErrorPanel tone="warning" title="This product was changed after you opened it. Nothing was saved.">
      <PlainTable
        label="Both values"
        records={differencesOf(form.draft, form.photos, stored)}
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
