/** Explains failures to the user where Core's own words are meant for agents. */
import { type Failure, type FailureCode, failureCodes } from '../../shared/failure.ts';
import { t } from '../text.tsx';

interface Explained {
  message: string;
  /** Empty if there is nothing to add. */
  hint: string;
}

const explained: { readonly [code in FailureCode]?: Explained } = {
  APPROVAL_DENIED: {
    message: t('You did not allow this call, so it did not run.'),
    hint: t('To run it, try again and allow the call.'),
  },
  APPROVAL_UNAVAILABLE: {
    message: t('This call needs your approval, but Toolkeep could not ask you. It did not run.'),
    hint: t('Answer the open questions, then try again. If there are none, check “approvals” in the config file.'),
  },
  ELICITATION_DECLINED: {
    message: t('You declined to answer the tool’s question, so the call did not finish.'),
    hint: t('To answer, run the tool again.'),
  },
  SERVER_DISABLED: {
    message: t('The server is disabled, so the call did not run.'),
    hint: t('Enable the server first.'),
  },
  TOOL_DISABLED: {
    message: t('The tool is disabled, so it did not run.'),
    hint: t('Enable it, or change the rule that disables it.'),
  },
  TOOL_HELD_BACK: {
    message: t('The tool is held until you accept it, so it did not run.'),
    hint: t('Review its definition, and accept it if you trust it.'),
  },
};

const noAnswerHint = t('To change how long questions wait for your answer, go to Settings › Approvals.');

/** Hints for codes whose failures have their own message. */
const hints: { readonly [code in FailureCode]?: string } = {
  ARGUMENTS_INVALID: t('See the tool’s parameters for what it accepts.'),
  CANCELLED: t('If the server was already running the call, it may have had an effect.'),
  APPROVAL_TIMEOUT: noAnswerHint,
  ELICITATION_TIMEOUT: noAnswerHint,
  ELICITATION_UNAVAILABLE: t('The tool asked a question, but Toolkeep could not show it to you. Try again.'),
  INPUT_INVALID: '',
  PROMPT_NOT_FOUND: t('The server may have removed or renamed it.'),
  RESOURCE_NOT_FOUND: t('The server may have removed or renamed it.'),
  SERVER_NOT_FOUND: t('It may have been removed or renamed.'),
  TOOL_NOT_FOUND: t('The server may have removed or renamed it.'),
};

export function explainFailure({ code, message, hint }: Failure): Explained {
  return explained[code] ?? { message, hint: hint ?? hints[code] ?? t(failureCodes[code]) };
}
