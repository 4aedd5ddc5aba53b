/** The time to answer a question, with pauses. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQuestionClock } from '../../../electron/core/elicitation/question-clock.ts';

const expired = vi.fn<() => void>();
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  expired.mockReset();
});

it('A question expires after its time', () => {
  const clock = createQuestionClock(1_000, false, expired);
  expect(clock.expiresAt()).toBe(Date.now() + 1_000);
  vi.advanceTimersByTime(999);
  expect(expired).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(1);
  expect(expired).toHaveBeenCalledTimes(1);
});

it('A pause does not use up the time, however often it is reported', () => {
  const clock = createQuestionClock(1_000, false, expired);
  vi.advanceTimersByTime(400);
  clock.pause();
  vi.advanceTimersByTime(50_000);
  clock.pause();
  vi.advanceTimersByTime(50_000);
  clock.resume();
  clock.resume();
  expect(clock.expiresAt()).toBe(Date.now() + 600);
  vi.advanceTimersByTime(599);
  expect(expired).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(1);
  expect(expired).toHaveBeenCalledTimes(1);
});

it('A question that is asked during a pause has its whole time afterwards', () => {
  const clock = createQuestionClock(1_000, true, expired);
  vi.advanceTimersByTime(10_000);
  clock.resume();
  vi.advanceTimersByTime(999);
  expect(expired).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(1);
  expect(expired).toHaveBeenCalledTimes(1);
});

it('A question that was answered does not expire, even after a pause', () => {
  const clock = createQuestionClock(1_000, false, expired);
  clock.stop();
  vi.advanceTimersByTime(10_000);
  expect(expired).toHaveBeenCalledTimes(0);
});
