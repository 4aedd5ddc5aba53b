/** The logo of a known client; other clients get a monogram. */
import amp from '@lobehub/icons-static-svg/icons/amp.svg';
import antigravity from '@lobehub/icons-static-svg/icons/antigravity.svg';
import claude from '@lobehub/icons-static-svg/icons/claude.svg';
import claudeCode from '@lobehub/icons-static-svg/icons/claudecode.svg';
import cline from '@lobehub/icons-static-svg/icons/cline.svg';
import codex from '@lobehub/icons-static-svg/icons/codex.svg';
import cursor from '@lobehub/icons-static-svg/icons/cursor.svg';
import devin from '@lobehub/icons-static-svg/icons/devin.svg';
import geminiCli from '@lobehub/icons-static-svg/icons/geminicli.svg';
import githubCopilot from '@lobehub/icons-static-svg/icons/githubcopilot.svg';
import goose from '@lobehub/icons-static-svg/icons/goose.svg';
import grok from '@lobehub/icons-static-svg/icons/grok.svg';
import junie from '@lobehub/icons-static-svg/icons/junie.svg';
import kiloCode from '@lobehub/icons-static-svg/icons/kilocode.svg';
import kimi from '@lobehub/icons-static-svg/icons/kimi.svg';
import kiro from '@lobehub/icons-static-svg/icons/kiro.svg';
import lmStudio from '@lobehub/icons-static-svg/icons/lmstudio.svg';
import opencode from '@lobehub/icons-static-svg/icons/opencode.svg';
import qwen from '@lobehub/icons-static-svg/icons/qwen.svg';
import rooCode from '@lobehub/icons-static-svg/icons/roocode.svg';
import windsurf from '@lobehub/icons-static-svg/icons/windsurf.svg';
import styles from './client-logo.module.css';
import frame from './monogram.module.css';
import { Monogram, markAttributes } from './monogram.tsx';

/** By display name. The logos have no color of their own, so they fit every theme. */
const logos = new Map(
  Object.entries({
    Amp: amp,
    Antigravity: antigravity,
    'Claude Code': claudeCode,
    'Claude Desktop': claude,
    'Claude Desktop extensions': claude,
    Cline: cline,
    Codex: codex,
    Cursor: cursor,
    'Devin CLI': devin,
    'Gemini CLI': geminiCli,
    'GitHub Copilot CLI': githubCopilot,
    Goose: goose,
    'Grok Build': grok,
    Junie: junie,
    'Kilo Code': kiloCode,
    'Kimi Code': kimi,
    Kiro: kiro,
    'LM Studio': lmStudio,
    opencode,
    'Qwen Code': qwen,
    'Roo Code': rooCode,
    Windsurf: windsurf,
  }),
);

/** `name` is the display name of the client. Decorative unless it has a `label`. */
export function ClientLogo({ name, label }: { name: string; label?: string }) {
  const logo = logos.get(name);
  if (logo === undefined) return <Monogram name={name} label={label} />;
  return (
    <span className={`${frame.monogram} ${styles.logo}`} {...markAttributes(label)}>
      <span className={styles.glyph} style={{ maskImage: `url("${logo}")` }} />
    </span>
  );
}
