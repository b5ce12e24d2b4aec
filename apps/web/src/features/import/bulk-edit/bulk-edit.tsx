import type { IssueFilter } from '@draftshelf/contract/review/rows';
import { issueFixes } from '@draftshelf/domain/review/issue-fixes';
import { CloseButton } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { countOf } from '../../../lib/intl.ts';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import type { RowTicks } from '../row-ticks.ts';
import classes from './bulk-edit.module.css';
import type { BulkEdit } from './use-bulk-edit.tsx';

/** Opens the dialog that changes many rows: those that are ticked, filtered, or all. */
export function BulkEditButton({ edit, ticks }: { edit: BulkEdit; ticks: RowTicks }) {
  return (
    <div className={classes.entry}>
      <ReasonedButton variant="default" size="compact-md" reason={edit.reason} onClick={() => edit.open()}>
        <IconPencil className={classes.icon} size={16} aria-hidden />
        <span className={`${classes.label} numbers`}>{edit.label}</span>
      </ReasonedButton>
      {ticks.rows.size > 0 && (
        <CloseButton
          variant="default"
          size={28}
          aria-label={`Untick ${countOf(ticks.rows.size, 'row')}`}
          title={`Untick ${countOf(ticks.rows.size, 'row')}`}
          onClick={ticks.clear}
        />
      )}
    </div>
  );
}

/** The fixes of the issue that rows are filtered by, for all of these rows. */
export function FixButtons({ edit, issue }: { edit: BulkEdit; issue: IssueFilter | undefined }) {
  const fixes = issueFixes.filter(({ code }) => code === issue);
  if (fixes.length === 0) return null;
  return (
    <div className={classes.fixes}>
      {fixes.map(({ code, label }) => (
        <ReasonedButton
          key={label}
          variant="light"
          size="compact-md"
          reason={edit.reason}
          onClick={() => edit.open(code)}
        >
          {label}…
        </ReasonedButton>
      ))}
    </div>
  );
}
