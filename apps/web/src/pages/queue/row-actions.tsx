import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { ShownImport } from '../../api/imports.ts';
import { AfterClick } from '../../components/after-click.tsx';
import { lazily } from '../../lib/load-chunk.ts';
import { importPath } from '../../lib/paths.ts';
import classes from './queue.module.css';
import { type QueueAction, queueActions } from './queue-actions.ts';
import type { useQueueCalls } from './queue-calls.ts';
import { RowMenuButton } from './row-menu-button.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

const RowMenu = lazily(() => import('./row-menu.tsx').then((chunk) => chunk.RowMenu));

type RowActionsProps = {
  job: ShownImport;
  calls: ReturnType<typeof useQueueCalls>;
  /** Asks before the import is cancelled. */
  onCancel: (job: ShownImport) => void;
};

/** The actions of a row: at most two buttons, and a menu with the others. */
export function RowActions({ job, calls, onCancel }: RowActionsProps) {
  const slot = useKeptFocus();
  const actions = queueActions(job);
  const others = actions.filter(({ weight }) => weight === 'menu');
  const isBusy = calls.busyId === job.id;
  const act = (action: QueueAction) => {
    if (isBusy) return;
    if (action.kind === 'cancel') onCancel(job);
    else if (action.kind === 'report') calls.report(job);
    else if (action.kind === 'action') calls.run(job, action.action);
  };
  return (
    <div className={classes.actions} {...slot}>
      {actions
        .filter(({ weight }) => weight !== 'menu')
        .map((action) => (
          <RowButton key={action.label} job={job} action={action} isBusy={isBusy} onAct={act} />
        ))}
      {others.length > 0 && (
        <AfterClick button={(onClick) => <RowMenuButton filename={job.filename} onClick={onClick} />}>
          <RowMenu job={job} actions={others} onAct={act} />
        </AfterClick>
      )}
    </div>
  );
}

type RowButtonProps = {
  job: ShownImport;
  action: QueueAction;
  isBusy: boolean;
  onAct: (action: QueueAction) => void;
};

function RowButton({ job, action, isBusy, onAct }: RowButtonProps) {
  const look = { size: 'compact-sm', variant: action.weight === 'primary' ? 'light' : 'default' } as const;
  if (action.kind === 'review') {
    return (
      <Button {...look} component={Link} to={importPath(job.id)}>
        {action.label}
      </Button>
    );
  }
  // Not `disabled`: a disabled button would lose the focus.
  return (
    <Button
      {...look}
      aria-disabled={isBusy || undefined}
      data-disabled={isBusy || undefined}
      onClick={() => onAct(action)}
    >
      {action.label}
    </Button>
  );
}
