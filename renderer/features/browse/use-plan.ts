/** The plan for the user's current choice and inputs, requested again after each change. */
import { useEffect, useState } from 'react';
import { type Failure, toFailure } from '../../../shared/failure.ts';
import type { RegistryPlan } from '../../../shared/model/registry.ts';
import { useStores } from '../../stores/stores.ts';
import { type Choice, planOf } from './choice.ts';

/** Milliseconds without typing before the plan is requested again. */
const pauseMs = 150;

/** `isCurrent`: whether the plan is for exactly this choice. */
export function usePlan(choice: Choice): {
  plan: RegistryPlan | undefined;
  failure: Failure | undefined;
  isCurrent: boolean;
} {
  const { link } = useStores();
  const [plan, setPlan] = useState<RegistryPlan>();
  const [failure, setFailure] = useState<Failure>();
  const [planned, setPlanned] = useState<Choice>();
  useEffect(() => {
    let isWanted = true;
    const make = async () => {
      try {
        const next = await planOf(link, choice);
        if (!isWanted) return;
        setPlan(next);
        setPlanned(choice);
        setFailure(undefined);
      } catch (error) {
        if (isWanted) setFailure(toFailure(error));
      }
    };
    const timer = setTimeout(() => void make(), Object.keys(choice.inputs).length === 0 ? 0 : pauseMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [link, choice]);
  return { plan, failure, isCurrent: planned === choice };
}
