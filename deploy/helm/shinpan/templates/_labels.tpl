{{- define "shinpan.labels" -}}
app.kubernetes.io/name: shinpan
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "shinpan.metadata" -}}
name: {{ .Release.Name }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "shinpan.labels" . | nindent 2 }}
{{- end }}
