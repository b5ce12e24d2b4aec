import { Link, useNavigate } from 'react-router';
import type { ShownImport } from '../../api/imports.ts';
import { AfterClick } from '../../components/after-click.tsx';
import { Button } from '../../components/button.tsx';
import { lazily } from '../../lib/load-chunk.ts';
import { importPath } from '../../lib/paths.ts';
import classes from './queue.module.css';
import { type QueueAction, queueActions } from './queue-actions.ts';
import { RowMenuButton } from './row-menu-button.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import type { QueueActions } from './use-queue-actions.ts';

const RowMenu = lazily(() => import('./row-menu.tsx').then((chunk) => chunk.RowMenu));

type RowActionsProps = {
  record: ShownImport;
  actions: QueueActions;
  /** More buttons do not fit. */
  buttonsMax: number;
  /** Asks before the import is cancelled. */
  onCancel: (record: ShownImport) => void;
  /** May ask before the import is pushed. */
  onPush: (record: ShownImport) => void;
};

/** The actions of a row: a few buttons, and a menu with the others. */
export function RowActions({ record, actions, buttonsMax, onCancel, onPush }: RowActionsProps) {
  const slot = useKeptFocus();
  const navigate = useNavigate();
  const items = queueActions(record);
  const shown = shownActions(items, buttonsMax);
  const others = items.filter((action) => !shown.includes(action));
  const isBusy = actions.busyId === record.id;
  const act = (action: QueueAction) => {
    if (isBusy) return;
    if (action.kind === 'cancel') onCancel(record);
    else if (action.kind === 'report') actions.report(record);
    else if (action.kind === 'review') navigate(importPath(record.id));
    else if (action.action === 'push') onPush(record);
    else actions.run(record, action.action);
  };
  return (
    <div className={classes.actions} {...slot}>
      {shown.map((action) => (
        <RowButton key={action.label} record={record} action={action} isBusy={isBusy} onAct={act} />
      ))}
      {others.length > 0 && (
        <AfterClick button={(onClick) => <RowMenuButton filename={record.filename} onClick={onClick} />}>
          <RowMenu record={record} actions={others} onAct={act} />
        </AfterClick>
      )}
    </div>
  );
}

/** The actions with a button. If there is room for one only, it is the primary one. */
function shownActions(actions: readonly QueueAction[], buttonsMax: number): QueueAction[] {
  const buttons = actions.filter(({ weight }) => weight !== 'menu');
  if (buttons.length <= buttonsMax) return buttons;
  const primary = buttons.find(({ weight }) => weight === 'primary');
  return primary === undefined ? buttons.slice(0, buttonsMax) : [primary];
}

type RowButtonProps = {
  record: ShownImport;
  action: QueueAction;
  isBusy: boolean;
  onAct: (action: QueueAction) => void;
};

function RowButton({ record, action, isBusy, onAct }: RowButtonProps) {
  const look = { size: 'compact-sm', variant: action.weight === 'primary' ? 'light' : 'default' } as const;
  if (action.kind === 'review') {
    return (
      <Button {...look} component={Link} to={importPath(record.id)}>
        {action.label}
      </Button>
    );
  }
  return (
    <Button {...look} disabled={isBusy} onClick={() => onAct(action)}>
      {action.label}
    </Button>
  );
}
