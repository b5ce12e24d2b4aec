import { Collapse, Group, Title } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import classes from './queue.module.css';

const steps = [
  { name: 'File upload', text: 'Your CSV is stored unchanged and split into chunks.' },
  { name: 'Field mapping', text: 'Columns are matched to product fields.' },
  { name: 'Validation', text: 'Each row is checked for a title and a valid price.' },
  { name: 'Store upload', text: 'Once you’ve reviewed them, products are pushed as drafts by default.' },
  { name: 'Completion', text: 'See what happened to each product, with a link to the store.' },
] as const;

type HowItWorksProps = {
  /** An import has gone all the way: from the next visit on, the steps are hidden. */
  isKnown: boolean;
};

/** The five steps of an import. They can be hidden; on narrow screens they are at first, to save space. */
export function HowItWorks({ isKnown }: HowItWorksProps) {
  const wide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false });
  const [chosen, setChosen] = useLocalStorage<boolean | null>({
    key: 'draftshelf-queue-explainer',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const [before] = useState(chosen ?? wide);
  const [toggled, setToggled] = useState<boolean | null>(null);
  const open = toggled ?? before;
  useEffect(() => {
    if (isKnown && chosen === null) setChosen(false);
  }, [isKnown, chosen, setChosen]);
  const toggle = () => {
    setToggled(!open);
    setChosen(!open);
  };
  return (
    <section className="panel" aria-labelledby="how-it-works">
      <Group justify="space-between">
        <Title order={2} id="how-it-works">
          How the Queue Works
        </Title>
        <Button variant="subtle" color="gray" size="compact-sm" aria-expanded={open} onClick={toggle}>
          {open ? 'Hide' : 'Show'}
        </Button>
      </Group>
      <Collapse expanded={open} transitionDuration={120}>
        <ol className={classes.steps}>
          {steps.map((step, index) => (
            <li key={step.name}>
              <span className={classes.stepNumber} aria-hidden>
                {index + 1}
              </span>
              <span>
                <strong>{step.name}</strong>
                <br />
                {step.text}
              </span>
            </li>
          ))}
        </ol>
      </Collapse>
    </section>
  );
}
