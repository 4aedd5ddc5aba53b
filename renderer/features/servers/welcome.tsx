/** The first run: explains Gatehouse and offers the servers that it found. */
import { ListChecks, MessageCircleQuestion, ShieldCheck } from 'lucide-react';
import pageStyles from '../../components/page.module.css';
import { ImportPlanPanel } from './import-plan.tsx';
import styles from './welcome.module.css';

export function WelcomeView() {
  return (
    <div className={`${pageStyles.page} ${styles.welcome}`}>
      <header className={styles.welcomeHead}>
        <img src="./icon.svg" alt="" width="56" height="56" />
        <h1 tabIndex={-1}>Welcome to Gatehouse</h1>
        <p className="lead">One gateway to the tools of all your AI apps.</p>
      </header>
      <ul className={styles.promises}>
        <li>
          <ListChecks className="icon" aria-hidden />
          <span>Your clients see five tools instead of five hundred, and find the rest when they need them.</span>
        </li>
        <li>
          <ShieldCheck className="icon" aria-hidden />
          <span>Nothing dangerous runs without your approval.</span>
        </li>
        <li>
          <MessageCircleQuestion className="icon" aria-hidden />
          <span>Every question from a tool reaches you here.</span>
        </li>
      </ul>
      <ImportPlanPanel isFirst />
    </div>
  );
}
