import type { SavedRules } from '@draftshelf/contract/enrich/rules';
import { type CategoryRule, rulesMax } from '@draftshelf/domain/enrich/rules/category-rule';
import { Group, Skeleton, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { CallError, messageOf, readOf } from '../../api/call.ts';
import { countOf } from '../../lib/intl.ts';
import { BodyText, PlainButton, QuietText } from '../../ui/basics.tsx';
import { SaveConflict, useDraft } from '../../ui/draft.tsx';
import { ReadFailure, ReadView } from '../../ui/feedback/read.tsx';
import { toast } from '../../ui/feedback/toast-state.ts';
import { useCall } from '../../ui/feedback/use-call.ts';
import { HintedButton } from '../../ui/hint.tsx';
import { EditorBody, EditorDrawer, EditorFooter } from '../../ui/overlays.tsx';
import classes from '../../ui/sections.module.css';
import { usePreferences, usePreferencesSave } from '../settings/index.ts';
import { useCollections } from '../store/index.ts';
import { createRule, describeProposedRules, putRule, type RuleDraft, toSuggestedRule } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import { addButtonId, changeButtonId, listFocusTarget, RuleList, RuleTrial } from './rule-list.tsx';

type RulesEditorProps = { opened: boolean; onClose: () => void; onDirty: (isDirty: boolean) => void };

export function RulesEditor({ opened, onClose, onDirty }: RulesEditorProps) {
  const { query, edit } = useRulesEdit(opened);
  const form = useRuleForm();
  const isDirty = edit.isDirty || form.isChanged;
  useEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
  const leave = () => {
    form.leave();
    onClose();
  };
  const discard = () => {
    if (form.isChanged) {
      form.leave();
    } else {
      edit.discard();
      leave();
    }
  };
  const lossWords = form.isChanged
    ? 'Only the changes to this rule are discarded.'
    : 'The changes to the rules haven’t been saved.';
  return (
    <EditorDrawer
      opened={opened}
      title="Rules"
      width={760}
      unsaved={isDirty ? lossWords : null}
      onClose={leave}
      onDiscard={discard}
    >
      {() =>
        form.draft === null ? (
          <Rules query={query} edit={edit} form={form} />
        ) : (
          <div
            className={classes.form}
            data-focus-next={`[id="${changeButtonId(form.draft.id)}"], #${addButtonId}`}
          >
            <RuleForm
              rule={form.draft}
              isNew={edit.rules.every(({ id }) => id !== form.draft?.id)}
              onChange={form.change}
              onCancel={form.leave}
              onDone={(rule) => {
                edit.set(putRule(edit.rules, rule));
                form.leave();
              }}
            />
          </div>
        )
      }
    </EditorDrawer>
  );
}

type RulesEdit = ReturnType<typeof useRulesEdit>['edit'];
type RulesProps = ReturnType<typeof useRulesEdit> & { form: ReturnType<typeof useRuleForm> };

function Rules({ query, edit, form }: RulesProps) {
  const failure = <ReadFailure what="the rules" reads={[query]} />;
  if (query.data === undefined) {
    return <EditorBody>{query.isError ? failure : <Skeleton height={260} />}</EditorBody>;
  }
  return (
    <>
      {failure}
      <Overview edit={edit} onChange={form.open} />
    </>
  );
}

function useRuleForm() {
  const [opened, setOpened] = useState<{ before: CategoryRule; draft: RuleDraft } | null>(null);
  return {
    draft: opened?.draft ?? null,
    isChanged: opened !== null && JSON.stringify(opened.draft) !== JSON.stringify(opened.before),
    open: (rule: CategoryRule) => setOpened({ before: rule, draft: rule }),
    change: (draft: RuleDraft) => setOpened((now) => now && { ...now, draft }),
    leave: () => setOpened(null),
  };
}

function Overview({ edit, onChange }: { edit: RulesEdit; onChange: (rule: CategoryRule) => void }) {
  const [news, setNews] = useState('');
  const { rules } = edit;
  const collections = useCollections();
  const full = rules.length >= rulesMax ? `There are at most ${rulesMax} rules.` : null;
  const propose = (proposed: CategoryRule[]) => {
    edit.set(proposed);
    setNews(describeProposedRules(proposed.length));
  };
  return (
    <>
      <EditorBody>
        <Stack gap="lg">
          <QuietText>
            In every import, rules set the type, collections and tags of a product by the words in it. The
            first matching rule that has a type sets the type. The collections and tags of all matching rules
            are combined.
          </QuietText>
          {rules.length === 0 ? (
            <SuggestRules onSuggested={propose} />
          ) : (
            <RuleList
              rules={rules}
              titles={collections.data?.map(({ title }) => title)}
              onSet={edit.set}
              onChange={onChange}
              onNews={setNews}
            />
          )}
          <QuietText role="status" className="break-words">
            {news}
          </QuietText>
          <Group>
            <HintedButton
              id={addButtonId}
              variant="default"
              reason={full}
              onClick={() => onChange(createRule())}
            >
              Add Rule
            </HintedButton>
          </Group>
          <FillChoice />
          {rules.length > 0 && <RuleTrial rules={rules} />}
        </Stack>
      </EditorBody>
      <EditorFooter>
        {edit.conflict !== null && (
          <div data-focus-next="#rules-state">
            <SaveConflict
              title="The rules have been changed in another tab. Nothing was saved."
              isSaving={edit.isSaving}
              onSaveMine={edit.saveMine}
              onUseTheirs={edit.useTheirs}
            >
              <BodyText>{`There are ${countOf(edit.conflict.rules.length, 'rule')} now. You have ${countOf(edit.rules.length, 'rule')}.`}</BodyText>
            </SaveConflict>
          </div>
        )}
        <Group gap="sm">
          <HintedButton
            reason={edit.isDirty ? null : 'Nothing has changed.'}
            loading={edit.isSaving}
            onClick={edit.save}
          >
            Save Rules
          </HintedButton>
          <QuietText component="div" role="status" tabIndex={-1} id="rules-state">
            {edit.isDirty ? 'Unsaved changes' : 'No unsaved changes'}
          </QuietText>
        </Group>
      </EditorFooter>
    </>
  );
}

/** The choice of whether rules fill empty fields. A change of the switch is saved at once. */
function FillChoice() {
  const save = usePreferencesSave('Couldn’t save the choice');
  return (
    <ReadView of={usePreferences()} what="how rules are applied" meanwhile={<Skeleton height={44} />}>
      {({ rulesFillEmpty }) => (
        <Switch
          label="Fill empty fields at once"
          description="If this is off, each value becomes a proposal. Values from the file and values you entered are never replaced. A change of this switch is saved at once, and the saved rules are then applied to all imports in review."
          checked={rulesFillEmpty}
          onChange={(event) => save.mutate({ body: { rulesFillEmpty: event.currentTarget.checked } })}
        />
      )}
    </ReadView>
  );
}

/** A button that adds proposed rules to the edited rules. They are not saved before the operator saves. */
function SuggestRules({ onSuggested }: { onSuggested: (rules: CategoryRule[]) => void }) {
  const suggestion = useCall('suggestRules');
  const start = () =>
    suggestion.mutate(
      {},
      { onSuccess: ({ rules }) => rules.length > 0 && onSuggested(rules.map(toSuggestedRule)) },
    );
  return (
    <Stack gap="xs" {...listFocusTarget}>
      <BodyText>
        There are no rules yet. Rules can be proposed from your store. They use words that are in at least 90
        % of the titles of one product type and in no title of another type.
      </BodyText>
      <Group>
        <PlainButton loading={suggestion.isPending} onClick={start}>
          Propose Rules from My Store
        </PlainButton>
      </Group>
      <BodyText role="status">
        {suggestion.isError && `Couldn’t propose rules: ${suggestion.error.message}`}
        {suggestion.data?.rules.length === 0 && nothingWords(suggestion.data.products)}
      </BodyText>
    </Stack>
  );
}

function nothingWords(products: number): string {
  if (products === 0) {
    return 'Your store’s products haven’t been read yet. Use Sync Inventory on the Shopify page, then try again.';
  }
  const compared = countOf(products, 'product of your store was', 'products of your store were');
  return `${compared} compared. No type with at least 20 products has such a word.`;
}

/** Reads the rules each time the editor opens, and saves the edited rules. */
function useRulesEdit(isOpen: boolean) {
  const query = useQuery({ ...rulesRead(), enabled: isOpen });
  // After a conflict, the cache contains the rules that another tab has saved.
  const mutation = useCall('saveRules', {
    onSuccess: (saved, _request, client) => client.setQueryData(rulesRead().queryKey, saved),
    onError: (error, client) => {
      const meanwhile = savedMeanwhile(error);
      if (meanwhile !== null) client.setQueryData(rulesRead().queryKey, meanwhile);
    },
  });
  const draft = useDraft<SavedRules, CategoryRule[]>({
    read: query.data,
    empty: [],
    editedOf: (saved) => saved.rules,
    isSame: (edited, saved) => JSON.stringify(edited) === JSON.stringify(saved.rules),
    isSaving: mutation.isPending,
  });
  const { base, edited: rules, conflict } = draft;
  const saveOver = (version: string) =>
    mutation.mutate(
      { body: { rules, version } },
      {
        onSuccess: (saved) => {
          draft.keep(saved, rules);
          toast({ title: 'Rules saved', text: 'Imports in review get the rules in the background.' });
        },
        onError: (error) => {
          const meanwhile = savedMeanwhile(error);
          draft.setConflict(meanwhile);
          if (meanwhile !== null) return;
          toast({ title: 'Couldn’t save the rules', text: messageOf(error, 'Try again.'), tone: 'failure' });
        },
      },
    );
  const edit = {
    rules,
    set: (changed: CategoryRule[]) => draft.edit(() => changed),
    isDirty: draft.isDirty,
    isSaving: mutation.isPending,
    save: () => base !== null && saveOver(base.version),
    discard: () => base !== null && draft.take(query.data ?? base),
    conflict,
    saveMine: () => conflict !== null && saveOver(conflict.version),
    useTheirs: () => conflict !== null && draft.take(conflict),
  };
  return { query, edit };
}

const rulesRead = () => ({ ...readOf('listRules'), staleTime: 0 });

/** Returns the rules that another tab saved; null if the save failed for another reason than a conflict. */
function savedMeanwhile(error: Error): SavedRules | null {
  if (!(error instanceof CallError) || error.status !== 409) return null;
  return (error.current as SavedRules | undefined) ?? null;
}
