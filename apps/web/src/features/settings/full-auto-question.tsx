import { Text } from '@mantine/core';
import { Confirm } from '../../ui/feedback/confirm.tsx';
import type { SettingsEdit } from './use-settings-form.ts';

/** The question before new files are pushed without a review. */
export function FullAutoQuestion({ edit }: { edit: SettingsEdit }) {
  return (
    <Confirm
      opened
      title="Push new files by themselves?"
      confirm="Use Full Auto"
      keep="Keep Editing"
      onConfirm={edit.confirm}
      onClose={edit.stopAsking}
    >
      <Text size="sm">
        Full auto pushes new files without a review, as drafts. Files with unsure columns or many problems
        still wait for you. Products that the store has already are skipped, updated or created again, as
        chosen in Shopify Integration.
      </Text>
    </Confirm>
  );
}
