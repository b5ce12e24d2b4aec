import { Confirm } from '../../ui/feedback/confirm.tsx';

type SignOutQuestionProps = { opened: boolean; onConfirm: () => void; onClose: () => void };

/** Asked before a sign-out that removes work which is not saved. */
export function SignOutQuestion(props: SignOutQuestionProps) {
  return (
    <Confirm
      {...props}
      title="Sign out and remove the scanned codes?"
      confirm="Sign Out"
      keep="Stay Signed In"
    >
      The codes of Scan Many are not saved yet. Signing out removes them from this browser. To keep them, save
      them first.
    </Confirm>
  );
}
