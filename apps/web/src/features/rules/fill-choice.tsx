import { Skeleton, Switch } from '@mantine/core';
import { Read } from '../../ui/feedback/read.tsx';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { usePreferences, usePreferencesSave } from '../settings/index.ts';

/** Whether rules fill empty fields or only propose values. Saved at once. */
export function FillChoice() {
  const save = usePreferencesSave();
  const failure = useFailureToast();
  return (
    <Read of={usePreferences()} what="how rules are applied" meanwhile={<Skeleton height={44} />}>
      {({ rulesFillEmpty }) => (
        <Switch
          label="Fill empty fields at once"
          description="Otherwise each value is a proposal on the import. Values of the file and your own are never replaced. A change of this switch is saved at once and applies the saved rules to all imports in review."
          checked={rulesFillEmpty}
          onChange={(event) =>
            save.mutate(
              { rulesFillEmpty: event.currentTarget.checked },
              { onError: (error) => failure.show('Couldn’t save the choice', error.message) },
            )
          }
        />
      )}
    </Read>
  );
}
