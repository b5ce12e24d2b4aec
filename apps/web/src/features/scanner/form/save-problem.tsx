import { useEffect, useRef } from 'react';
import { CallError } from '../../../api/call.ts';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { BothValues, SaveConflict } from '../../../ui/feedback/save-conflict.tsx';
import classes from '../scanner.module.css';
import { isWithoutAnswer, type ShownScanned } from '../scanner-api.ts';
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
    <div ref={panels} className={`stack ${classes.saveProblem}`}>
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

function ConflictPanel({ form, stored }: { form: ScannedForm; stored: ShownScanned }) {
  return (
    <SaveConflict
      title="This product was changed after you opened it. Nothing was saved."
      isSaving={form.isSaving}
      onSaveMine={form.saveOver}
      onUseTheirs={form.takeTheirs}
    >
      <BothValues head="Field" differences={differencesOf(form.draft, form.photos, stored)} />
    </SaveConflict>
  );
}
