import { Skeleton, Switch } from '@mantine/core';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { usePreferences, usePreferencesSave } from '../settings/index.ts';

/** Whether rules fill empty fields or only propose values. Saved at once. */
export function FillChoice() {
  const preferences = usePreferences();
  const save = usePreferencesSave();
  const failure = useFailureToast();
  if (preferences.isError) {
    return (
      <ErrorPanel title="Couldn’t load how rules are applied." cause={preferences.error.message}>
        <Button onClick={() => preferences.refetch()}>Try Again</Button>
      </ErrorPanel>
    );
  }
  if (preferences.data === undefined) return <Skeleton height={44} />;
  return (
    <Switch
      label="Fill empty fields at once"
      description="Otherwise each value is a proposal on the import. Values of the file and your own are never replaced. A change of this switch is saved at once and applies the saved rules to all imports in review."
      checked={preferences.data.rulesFillEmpty}
      onChange={(event) =>
        save.mutate(
          { rulesFillEmpty: event.currentTarget.checked },
          { onError: (error) => failure.show('Couldn’t Save the Choice', error.message) },
        )
      }
    />
  );
}
