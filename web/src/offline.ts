import './lib/tokens.css';
import './lib/base.css';
import './lib/language';
import { mount } from 'svelte';
import Offline from './screens/Offline.svelte';

mount(Offline, { target: document.getElementById('page')! });
