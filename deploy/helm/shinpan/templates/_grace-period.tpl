{{- /*
What a pod may take to end, and two seconds to spare: preStop, the settings, and the process itself, which needs
SECONDS_TO_END of service/server.py. A value that is given may not be less.
*/}}
{{- define "shinpan.gracePeriod" -}}
{{- $seconds := addf .Values.preStopSeconds 13 }}
{{- range $name, $default := dict "UNREADY_SECONDS" 5 "DRAIN_SECONDS" 35 "STOP_GRACE_SECONDS" 10 }}
{{- $seconds = addf $seconds (dig $name $default $.Values.settings) }}
{{- end }}
{{- $least := add (ceil $seconds) 2 }}
{{- $given := int64 .Values.terminationGracePeriodSeconds }}
{{- if and $given (lt $given $least) }}
{{- fail (printf "terminationGracePeriodSeconds is %d, but with preStopSeconds and these settings a pod may take %d s to end; 0 derives it" $given $least) }}
{{- end }}
{{- $given | default $least }}
{{- end }}
