/**
 * The icon that a server declares, else its monogram. Only for lists and headings: an icon can imitate another one, so no
 * decision may depend on it.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores.ts';
import frame from './monogram.module.css';
import { Monogram, markAttributes } from './monogram.tsx';
import styles from './server-mark.module.css';

/** `icon`: the ID of the icon. Decorative unless it has a `label`. */
export function ServerMark({ name, icon, label }: { name: string; icon?: string; label?: string }) {
  const { icons } = useStores();
  const src = useStore(icons.state, (state) => (icon === undefined ? undefined : state[icon]));
  const [broken, setBroken] = useState<string>();
  useEffect(() => {
    if (icon !== undefined) icons.load(name, icon);
  }, [icons, name, icon]);
  if (src === undefined || broken === src) return <Monogram name={name} label={label} />;
  return (
    <span className={`${frame.monogram} ${styles.frame}`} {...markAttributes(label)}>
      <img className={styles.picture} src={src} alt="" onError={() => setBroken(src)} />
    </span>
  );
}
