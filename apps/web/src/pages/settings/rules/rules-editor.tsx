import { type CategoryRule, rulesMax } from '@draftshelf/domain/rules/category-rule';
import { Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery, useMounted } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useCollections } from '../../../api/store.ts';
import { Button } from '../../../components/button.tsx';
import { Confirm } from '../../../components/feedback/confirm.tsx';
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { countOf } from '../../../lib/intl.ts';
import { FillChoice } from './fill-choice.tsx';
import { RuleForm } from './rule-form.tsx';
import { changeButtonId, RuleList } from './rule-list.tsx';
import { newRule, replaced } from './rule-words.ts';
import classes from './rules.module.css';
import { SuggestRules } from './suggest-rules.tsx';
import { TryRules } from './try-rules.tsx';
import { type RulesEdit, useRulesEdit } from './use-rules-edit.ts';

/** A drawer with the rules, their trial on an import, and how they are applied. */
export function RulesEditor({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { query, edit } = useRulesEdit(opened);
  const [changing, setChanging] = useState<CategoryRule | null>(null);
  /** The rule whose form was last shown. */
  const [former, setFormer] = useState<CategoryRule | null>(null);
  const [asking, setAsking] = useState(false);
  const leaveForm = () => {
    setFormer(changing);
    setChanging(null);
  };
  const ready = useMounted();
  const fullScreen = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const discard = () => {
    setAsking(false);
    setChanging(null);
    setFormer(null);
    edit.discard();
    onClose();
  };
  // Asked after the current event: the key that closes the drawer would also close the question.
  const close = () =>
    edit.isDirty || changing !== null ? void setTimeout(() => setAsking(true)) : onClose();
  return (
    <>
      <Drawer
        // Mantine returns the focus only to what had it when `opened` changed.
        opened={opened && ready}
        onClose={close}
        closeOnEscape={!asking}
        position="right"
        size={fullScreen ? '100%' : 760}
        title="Rules"
        closeButtonProps={{ 'aria-label': 'Close' }}
        attributes={{ header: { role: 'presentation' } }}
        classNames={{ content: classes.content ?? '', body: classes.body ?? '', title: classes.title ?? '' }}
        transitionProps={{ duration: 120 }}
      >
        {query.isError && (
          <ErrorPanel title="Couldn’t load the rules." cause={query.error.message}>
            <Button onClick={() => query.refetch()}>Try Again</Button>
          </ErrorPanel>
        )}
        {query.isPending && <Skeleton height={260} m="md" />}
        {query.data !== undefined && changing === null && (
          <Overview edit={edit} former={former} onChange={setChanging} />
        )}
        {changing !== null && (
          <RuleForm
            rule={changing}
            isNew={edit.rules.every(({ id }) => id !== changing.id)}
            onCancel={leaveForm}
            onDone={(rule) => {
              edit.set(replaced(edit.rules, rule));
              leaveForm();
            }}
          />
        )}
      </Drawer>
      <Confirm
        opened={asking}
        title="Discard your changes?"
        confirm="Discard Changes"
        keep="Keep Editing"
        onConfirm={discard}
        onClose={() => setAsking(false)}
      >
        The changes to the rules haven’t been saved.
      </Confirm>
    </>
  );
}

type OverviewProps = {
  edit: RulesEdit;
  /** The rule whose form was shown before; null: none. */
  former: CategoryRule | null;
  onChange: (rule: CategoryRule) => void;
};

function Overview({ edit, former, onChange }: OverviewProps) {
  const addButton = useRef<HTMLButtonElement>(null);
  const formerId = former?.id;
  useEffect(() => {
    if (formerId === undefined) return;
    (document.getElementById(changeButtonId(formerId)) ?? addButton.current)?.focus();
  }, [formerId]);
  const { rules } = edit;
  const collections = useCollections();
  const full = rules.length >= rulesMax ? `There are at most ${rulesMax} rules.` : null;
  return (
    <>
      <div className={classes.scroll}>
        <Stack gap="lg">
          <Text size="sm" c="dimmed">
            Rules set type, collections and tags of products by their words, in every import. The first rule
            that matches a product sets its type. Collections and tags of all rules add up.
          </Text>
          {rules.length === 0 ? (
            <SuggestRules onSuggested={edit.set} />
          ) : (
            <RuleList
              rules={rules}
              titles={collections.data?.map(({ title }) => title)}
              onSet={edit.set}
              onChange={onChange}
              onEmptied={() => addButton.current?.focus()}
            />
          )}
          <Group>
            <ReasonedButton
              ref={addButton}
              variant="default"
              reason={full}
              onClick={() => onChange(newRule())}
            >
              Add Rule
            </ReasonedButton>
          </Group>
          <FillChoice />
          {rules.length > 0 && <TryRules rules={rules} />}
        </Stack>
      </div>
      <div className={classes.footer}>
        {edit.conflict !== null && (
          <ErrorPanel tone="warning" title="The rules have been changed in another tab. Nothing was saved.">
            <Text size="sm">{`There are ${countOf(edit.conflict.rules.length, 'rule')} now. You have ${countOf(rules.length, 'rule')}.`}</Text>
            <Group gap="sm">
              <Button busy={edit.isSaving} onClick={edit.saveMine}>
                Save Yours
              </Button>
              <Button variant="default" busy={edit.isSaving} onClick={edit.useTheirs}>
                Use Theirs
              </Button>
            </Group>
          </ErrorPanel>
        )}
        <Group gap="sm">
          <ReasonedButton
            reason={edit.isDirty ? null : 'Nothing has changed.'}
            loading={edit.isSaving}
            onClick={edit.save}
          >
            Save Rules
          </ReasonedButton>
          <Text size="sm" c="dimmed" role="status">
            {edit.isDirty ? 'Unsaved changes' : ''}
          </Text>
        </Group>
      </div>
    </>
  );
}
