/** The first start: says what Gatehouse does and offers everything it found with one click. */
import { ListChecks, MessageCircleQuestion, ShieldCheck } from 'lucide-react';
import { ImportPlanPanel } from '../parts/import-plan.tsx';

export function WelcomeView() {
  return (
    <div className="page welcome">
      <header className="welcome-head">
        <img src="./icon.svg" alt="" width="56" height="56" />
        <h1 tabIndex={-1}>Welcome to Gatehouse</h1>
        <p className="lead">One place for all the tools of your AI apps.</p>
      </header>
      <ul className="promises">
        <li>
          <ListChecks className="icon" aria-hidden />
          <span>Your apps see five tools instead of five hundred, and find the rest when they need it.</span>
        </li>
        <li>
          <ShieldCheck className="icon" aria-hidden />
          <span>Nothing dangerous runs without your yes.</span>
        </li>
        <li>
          <MessageCircleQuestion className="icon" aria-hidden />
          <span>Every question that a tool has reaches you here.</span>
        </li>
      </ul>
      <ImportPlanPanel isFirst />
    </div>
  );
}
