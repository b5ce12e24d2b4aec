import { Link, useNavigate } from 'react-router';
import { importPath, undoPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { useLostReason } from '../../ui/feedback/server-lost.ts';
import { MoreMenu } from '../../ui/menu.tsx';
import type { ShownImport } from '../import/index.ts';
import classes from './queue.module.css';
import { type QueueAction, queueActions } from './queue-actions.ts';
import type { QueueActions } from './use-queue-actions.ts';

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
  const navigate = useNavigate();
  const lostReason = useLostReason();
  const items = queueActions(record);
  const buttons = buttonActions(items, buttonsMax);
  const others = items.filter((action) => !buttons.includes(action));
  const isBusy = actions.busyId === record.id;
  const id = `actions-${record.id}`;
  const act = (action: QueueAction) => {
    if (action.kind === 'cancel') onCancel(record);
    else if (action.kind === 'report') actions.report(record);
    else if (action.kind === 'review') navigate(importPath(record.id));
    else if (action.kind === 'undoPush') navigate(undoPath(record.id));
    else if (isBusy) return;
    else if (action.kind === 'autoPush') actions.answerAutoPush(record, action.answer);
    else if (action.kind === 'stopRetry') actions.stopRetry(record);
    else if (action.action === 'push') onPush(record);
    else actions.run(record, action.action);
  };
  return (
    <div className={`row ${classes.actions}`} id={id} data-focus-next={`#${id} :is(button, a)`}>
      {buttons.map((action) => (
        <RowButton
          key={action.label}
          record={record}
          action={action}
          isBusy={isBusy}
          lostReason={lostReason}
          onAct={act}
        />
      ))}
      {others.length > 0 && (
        <MoreMenu
          variant="subtle"
          color="gray"
          size={26}
          className={classes.more}
          label={`More actions for ${record.filename}`}
          name={`Actions for ${record.filename}`}
          items={others.map((action) => ({
            label: action.label,
            reason: lostReason,
            act: () => act(action),
          }))}
        />
      )}
    </div>
  );
}

/** The actions with a button. If there is room for one only, it is the primary one. */
function buttonActions(actions: readonly QueueAction[], buttonsMax: number): QueueAction[] {
  const buttons = actions.filter(({ weight }) => weight !== 'menu');
  if (buttons.length <= buttonsMax) return buttons;
  const primary = buttons.find(({ weight }) => weight === 'primary');
  return primary === undefined ? buttons.slice(0, buttonsMax) : [primary];
}

type RowButtonProps = {
  record: ShownImport;
  action: QueueAction;
  isBusy: boolean;
  /** Why it cannot be done while the server is gone, else null. */
  lostReason: string | null;
  onAct: (action: QueueAction) => void;
};

function RowButton({ record, action, isBusy, lostReason, onAct }: RowButtonProps) {
  const look = { size: 'compact-sm', variant: action.weight === 'primary' ? 'light' : 'default' } as const;
  if (action.kind === 'review') {
    return (
      <Button {...look} component={Link} to={importPath(record.id)}>
        {action.label}
      </Button>
    );
  }
  return (
    // The tooltip is the browser's: a queue has up to 700 rows.
    <Button
      {...look}
      disabled={isBusy}
      title={lostReason ?? undefined}
      aria-description={lostReason ?? undefined}
      aria-disabled={lostReason === null ? undefined : true}
      data-disabled={lostReason === null ? undefined : true}
      onClick={() => lostReason === null && onAct(action)}
    >
      {action.label}
    </Button>
  );
}
